//! Progress of an index build, for clients that ask for it.

use engine::Progress;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use std::convert::Infallible;
use std::fmt::Arguments;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The least time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

/// The present step.
#[derive(Debug, Clone, Default)]
struct Step {
    /// A count that grows with all progress.
    count: u64,
    stage: String,
    done: u64,
    total: u64,
}

/// Passes the progress of a build on to clients.
#[derive(Clone)]
pub(crate) struct ProgressChannel {
    now: Arc<watch::Sender<Step>>,
}

impl Default for ProgressChannel {
    fn default() -> ProgressChannel {
        ProgressChannel {
            now: Arc::new(watch::Sender::new(Step::default())),
        }
    }
}

impl ProgressChannel {
    /// A receiver of the engine's progress that passes it on here and to `next`.
    pub(crate) fn wrap_progress(&self, next: Box<dyn Progress + Send>) -> Box<dyn Progress + Send> {
        Box::new(ForwardingProgress {
            steps: self.clone(),
            next,
        })
    }

    /// Sends progress to the client of a request, if the client asked for it. Never returns.
    pub(crate) async fn notify_progress(&self, context: &RequestContext<RoleServer>) -> Infallible {
        let Some(token) = context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let mut now = self.now.subscribe();
        while now.changed().await.is_ok() {
            let step = now.borrow_and_update().clone();
            let notification = ProgressNotificationParam::new(token.clone(), step.count as f64);
            let message = match step.total {
                0 => step.stage,
                total => format!("{} {}/{total}", step.stage, step.done),
            };
            let notification = notification.with_message(guard::text::escape_line(&message));
            if context.peer.notify_progress(notification).await.is_err() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        std::future::pending().await
    }
}

struct ForwardingProgress {
    steps: ProgressChannel,
    next: Box<dyn Progress + Send>,
}

impl Progress for ForwardingProgress {
    fn stage(&self, name: &str, total: u64) {
        self.next.stage(name, total);
        self.steps.now.send_modify(|step| {
            *step = Step {
                count: step.count + 1,
                stage: name.to_owned(),
                done: 0,
                total,
            };
        });
    }

    fn advance(&self, by: u64) {
        self.next.advance(by);
        self.steps.now.send_modify(|step| {
            step.count += by;
            step.done += by;
        });
    }

    fn detail(&self, line: Arguments<'_>) {
        self.next.detail(line);
    }
}
