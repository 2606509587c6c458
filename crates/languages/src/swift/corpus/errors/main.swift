enum AppError: Error { case bad(String), worse; func text() -> String { "x" } }
struct Fail: Error { func why() {} }
func risky() throws -> Result { throw AppError.bad("a") }  // calls :AppError.bad
struct Result { func use() {} }

func run() {
    do {
        try risky().use()  // calls :risky, :Result.use
        let value = try risky()  // calls :risky
        value.use()  // calls :Result.use
    } catch let error as AppError {
        error.text()  // calls :AppError.text
    } catch let fail as Fail {
        fail.why()  // calls :Fail.why
    } catch {
        print(error)
    }
    (try? risky())?.use()  // calls :risky, :Result.use
    let sure = try! risky()  // calls :risky
    sure.use()  // calls :Result.use
}
