//! The agents as data: how each is found, which files it reads, and in which form.
//!
//! Every row was checked against the page that it names. A test beside this file holds that page's own example.

use crate::places::{At, Base};
use Base::{AppData, Claude, ClaudeState, Codex, Config, Home, Project};

/// The form of a server's entry in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// `command` and `args`.
    Plain,
    /// The same with `"type": "stdio"`.
    Stdio,
    /// The same with `"type": "local"` and all tools.
    Copilot,
    /// The same with `"source": "custom"`.
    Zed,
    /// One list with the program and its arguments.
    OpenCode,
}

/// The place of a server's entry in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A member of the object at this path.
    Json(&'static [&'static str], Entry),
    /// A member of `projects.ROOT.mcpServers`, for one project in a file of the user.
    JsonOfProject(Entry),
    /// A table `[mcp_servers.knotwork]`.
    Toml,
    /// A mapping below `extensions`.
    Yaml,
}

/// A file with a server's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    /// Paths at which the file may be. The first that exists counts.
    pub(crate) files: &'static [At],
    pub(crate) format: Format,
}

/// The way in which a server learns of its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The agent starts it in the project's folder.
    InProject,
    /// The agent puts the project's folder in place of `${workspaceFolder}`.
    Variable,
    /// The agent starts it elsewhere, so the user's entry names one project.
    Elsewhere,
}

/// The hooks that an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookSet {
    /// Prompt, session, before and after tools.
    Claude,
    /// Prompt and session.
    Codex,
}

/// A coding agent.
#[derive(Debug)]
pub struct Client {
    /// The name on the command line.
    pub name: &'static str,
    /// The name that people know.
    pub title: &'static str,
    /// The page that describes its settings.
    pub page: &'static str,
    /// Advice to the user after a change.
    pub after: &'static str,
    pub(crate) programs: &'static [&'static str],
    pub(crate) marks: &'static [At],
    pub(crate) user: Option<Target>,
    pub(crate) project: Option<Target>,
    pub(crate) local: Option<Target>,
    pub(crate) start: Start,
    /// Folders of skills: of the user, and of a project.
    pub(crate) skills: [Option<At>; 2],
    /// Files with instructions: of the user, and of a project.
    pub(crate) instructions: [Option<At>; 2],
    /// Files with hooks: of the user, of a project, and of a project for this user alone.
    pub(crate) hooks: Option<(HookSet, [Option<At>; 3])>,
}

impl Client {
    /// The agent of that name.
    pub fn find(name: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|client| client.name == name)
    }

    /// Whether the agent seems to be on this machine.
    pub fn is_there(&self, places: &crate::Places) -> bool {
        self.marks.iter().any(|mark| places.exists(*mark))
            || self
                .programs
                .iter()
                .any(|program| places.find_program(program).is_some())
    }
}

const SERVERS: Format = Format::Json(&["mcpServers"], Entry::Plain);
const AGENT_SKILLS: [Option<At>; 2] = [
    Some(At(Home, ".agents/skills")),
    Some(At(Project, ".agents/skills")),
];
const AGENTS_FILE: Option<At> = Some(At(Project, "AGENTS.md"));
const RESTART: &str = "restart it";

const fn file(files: &'static [At], format: Format) -> Option<Target> {
    Some(Target { files, format })
}

/// The settings that most agents share.
const COMMON: Client = Client {
    name: "",
    title: "",
    page: "",
    after: RESTART,
    programs: &[],
    marks: &[],
    user: None,
    project: None,
    local: None,
    start: Start::InProject,
    skills: AGENT_SKILLS,
    instructions: [None, AGENTS_FILE],
    hooks: None,
};

/// All agents that are known.
pub static CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        page: "https://code.claude.com/docs/en/mcp",
        after: "start a new session; /mcp shows it",
        programs: &["claude"],
        marks: &[At(Claude, ""), At(ClaudeState, ".claude.json")],
        user: file(
            &[At(ClaudeState, ".claude.json")],
            Format::Json(&["mcpServers"], Entry::Stdio),
        ),
        project: file(
            &[At(Project, ".mcp.json")],
            Format::Json(&["mcpServers"], Entry::Stdio),
        ),
        local: file(
            &[At(ClaudeState, ".claude.json")],
            Format::JsonOfProject(Entry::Stdio),
        ),
        skills: [
            Some(At(Claude, "skills")),
            Some(At(Project, ".claude/skills")),
        ],
        instructions: [
            Some(At(Claude, "CLAUDE.md")),
            Some(At(Project, "CLAUDE.md")),
        ],
        hooks: Some((
            HookSet::Claude,
            [
                Some(At(Claude, "settings.json")),
                Some(At(Project, ".claude/settings.json")),
                Some(At(Project, ".claude/settings.local.json")),
            ],
        )),
        ..COMMON
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        page: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
        marks: &[At(AppData, "Claude")],
        user: file(&[At(AppData, "Claude/claude_desktop_config.json")], SERVERS),
        start: Start::Elsewhere,
        skills: [None, None],
        instructions: [None, None],
        ..COMMON
    },
    Client {
        name: "cursor",
        title: "Cursor",
        page: "https://cursor.com/docs/context/mcp",
        after: "open Settings, Tools & MCP, and switch it on",
        programs: &["cursor-agent"],
        marks: &[At(Home, ".cursor")],
        user: file(
            &[At(Home, ".cursor/mcp.json")],
            Format::Json(&["mcpServers"], Entry::Stdio),
        ),
        project: file(
            &[At(Project, ".cursor/mcp.json")],
            Format::Json(&["mcpServers"], Entry::Stdio),
        ),
        start: Start::Variable,
        ..COMMON
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        page: "https://docs.windsurf.com/windsurf/cascade/mcp",
        after: "press refresh in Cascade's list of MCP servers",
        marks: &[At(Home, ".codeium/windsurf")],
        user: file(&[At(Home, ".codeium/windsurf/mcp_config.json")], SERVERS),
        start: Start::Elsewhere,
        ..COMMON
    },
    Client {
        name: "vscode",
        title: "VS Code",
        page: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        after: "run MCP: List Servers and start it",
        programs: &["code"],
        marks: &[At(AppData, "Code/User")],
        user: file(
            &[At(AppData, "Code/User/mcp.json")],
            Format::Json(&["servers"], Entry::Stdio),
        ),
        project: file(
            &[At(Project, ".vscode/mcp.json")],
            Format::Json(&["servers"], Entry::Stdio),
        ),
        start: Start::Variable,
        ..COMMON
    },
    Client {
        name: "copilot-cli",
        title: "Copilot CLI",
        page: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
        after: "start a new session; /mcp show lists it",
        programs: &["copilot"],
        marks: &[At(Home, ".copilot")],
        user: file(
            &[At(Home, ".copilot/mcp-config.json")],
            Format::Json(&["mcpServers"], Entry::Copilot),
        ),
        project: file(
            &[At(Project, ".github/mcp.json")],
            Format::Json(&["mcpServers"], Entry::Copilot),
        ),
        instructions: [
            Some(At(Home, ".copilot/copilot-instructions.md")),
            AGENTS_FILE,
        ],
        ..COMMON
    },
    Client {
        name: "codex",
        title: "Codex",
        page: "https://developers.openai.com/codex/mcp",
        after: "start a new session; /mcp lists the server, /hooks asks you to trust the hooks",
        programs: &["codex"],
        marks: &[At(Codex, "")],
        user: file(&[At(Codex, "config.toml")], Format::Toml),
        project: file(&[At(Project, ".codex/config.toml")], Format::Toml),
        instructions: [Some(At(Codex, "AGENTS.md")), AGENTS_FILE],
        hooks: Some((
            HookSet::Codex,
            [
                Some(At(Codex, "hooks.json")),
                Some(At(Project, ".codex/hooks.json")),
                None,
            ],
        )),
        ..COMMON
    },
    Client {
        name: "gemini-cli",
        title: "Gemini CLI",
        page: "https://geminicli.com/docs/tools/mcp-server/",
        programs: &["gemini"],
        marks: &[At(Home, ".gemini/settings.json")],
        user: file(&[At(Home, ".gemini/settings.json")], SERVERS),
        project: file(&[At(Project, ".gemini/settings.json")], SERVERS),
        instructions: [
            Some(At(Home, ".gemini/GEMINI.md")),
            Some(At(Project, "GEMINI.md")),
        ],
        ..COMMON
    },
    Client {
        name: "qwen",
        title: "Qwen Code",
        page: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
        programs: &["qwen"],
        marks: &[At(Home, ".qwen")],
        user: file(&[At(Home, ".qwen/settings.json")], SERVERS),
        project: file(&[At(Project, ".qwen/settings.json")], SERVERS),
        skills: [
            Some(At(Home, ".qwen/skills")),
            Some(At(Project, ".qwen/skills")),
        ],
        instructions: [
            Some(At(Home, ".qwen/QWEN.md")),
            Some(At(Project, "QWEN.md")),
        ],
        ..COMMON
    },
    Client {
        name: "zed",
        title: "Zed",
        page: "https://zed.dev/docs/ai/mcp",
        after: "the agent panel shows a green dot beside it",
        programs: &["zed", "zeditor"],
        marks: &[At(Config, "zed"), At(AppData, "Zed")],
        user: file(
            &[
                At(Config, "zed/settings.json"),
                At(AppData, "Zed/settings.json"),
            ],
            Format::Json(&["context_servers"], Entry::Zed),
        ),
        project: file(
            &[At(Project, ".zed/settings.json")],
            Format::Json(&["context_servers"], Entry::Zed),
        ),
        ..COMMON
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        page: "https://opencode.ai/docs/mcp-servers/",
        programs: &["opencode"],
        marks: &[At(Config, "opencode")],
        user: file(
            &[
                At(Config, "opencode/opencode.json"),
                At(Config, "opencode/opencode.jsonc"),
            ],
            Format::Json(&["mcp"], Entry::OpenCode),
        ),
        project: file(
            &[At(Project, "opencode.json"), At(Project, "opencode.jsonc")],
            Format::Json(&["mcp"], Entry::OpenCode),
        ),
        instructions: [Some(At(Config, "opencode/AGENTS.md")), AGENTS_FILE],
        ..COMMON
    },
    Client {
        name: "cline",
        title: "Cline",
        page: "https://docs.cline.bot/mcp/configuring-mcp-servers",
        programs: &["cline"],
        marks: &[
            At(AppData, "Code/User/globalStorage/saoudrizwan.claude-dev"),
            At(Home, ".cline"),
        ],
        user: file(
            &[
                At(
                    AppData,
                    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                ),
                At(Home, ".cline/data/settings/cline_mcp_settings.json"),
            ],
            SERVERS,
        ),
        start: Start::Elsewhere,
        skills: [
            Some(At(Home, ".cline/skills")),
            Some(At(Project, ".cline/skills")),
        ],
        ..COMMON
    },
    Client {
        name: "roo",
        title: "Roo Code",
        page: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        marks: &[
            At(
                AppData,
                "Code/User/globalStorage/rooveterinaryinc.roo-cline",
            ),
            At(Home, ".roo"),
        ],
        user: file(
            &[At(
                AppData,
                "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
            )],
            SERVERS,
        ),
        project: file(&[At(Project, ".roo/mcp.json")], SERVERS),
        ..COMMON
    },
    Client {
        name: "kiro",
        title: "Kiro",
        page: "https://kiro.dev/docs/mcp/configuration/",
        programs: &["kiro", "kiro-cli"],
        marks: &[At(Home, ".kiro")],
        user: file(&[At(Home, ".kiro/settings/mcp.json")], SERVERS),
        project: file(&[At(Project, ".kiro/settings/mcp.json")], SERVERS),
        skills: [
            Some(At(Home, ".kiro/skills")),
            Some(At(Project, ".kiro/skills")),
        ],
        ..COMMON
    },
    Client {
        name: "junie",
        title: "Junie",
        page: "https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html",
        programs: &["junie"],
        marks: &[At(Home, ".junie")],
        user: file(&[At(Home, ".junie/mcp/mcp.json")], SERVERS),
        project: file(&[At(Project, ".junie/mcp/mcp.json")], SERVERS),
        skills: [
            Some(At(Home, ".junie/skills")),
            Some(At(Project, ".junie/skills")),
        ],
        instructions: [None, Some(At(Project, ".junie/AGENTS.md"))],
        ..COMMON
    },
    Client {
        name: "amp",
        title: "Amp",
        page: "https://ampcode.com/manual",
        programs: &["amp"],
        marks: &[At(Home, ".config/amp")],
        user: file(
            &[
                At(Home, ".config/amp/settings.json"),
                At(Home, ".config/amp/settings.jsonc"),
            ],
            Format::Json(&["amp.mcpServers"], Entry::Plain),
        ),
        project: file(
            &[
                At(Project, ".amp/settings.json"),
                At(Project, ".amp/settings.jsonc"),
            ],
            Format::Json(&["amp.mcpServers"], Entry::Plain),
        ),
        instructions: [Some(At(Home, ".config/amp/AGENTS.md")), AGENTS_FILE],
        ..COMMON
    },
    Client {
        name: "goose",
        title: "Goose",
        page: "https://block.github.io/goose/docs/guides/config-files",
        programs: &["goose"],
        marks: &[At(Config, "goose"), At(AppData, "Block/goose")],
        user: file(
            &[
                At(Config, "goose/config.yaml"),
                At(AppData, "Block/goose/config/config.yaml"),
            ],
            Format::Yaml,
        ),
        ..COMMON
    },
    Client {
        name: "antigravity",
        title: "Antigravity",
        page: "https://antigravity.google/docs/mcp",
        after: "press refresh under Manage MCP Servers",
        programs: &["antigravity", "agy"],
        marks: &[
            At(Home, ".gemini/config"),
            At(Home, ".gemini/antigravity"),
            At(Home, ".gemini/antigravity-cli"),
        ],
        user: file(
            &[
                At(Home, ".gemini/config/mcp_config.json"),
                At(Home, ".gemini/antigravity/mcp_config.json"),
            ],
            SERVERS,
        ),
        project: file(&[At(Project, ".agents/mcp_config.json")], SERVERS),
        start: Start::Elsewhere,
        skills: [
            Some(At(Home, ".gemini/config/skills")),
            Some(At(Project, ".agents/skills")),
        ],
        ..COMMON
    },
];

#[cfg(test)]
mod tests;
