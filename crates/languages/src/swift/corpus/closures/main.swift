struct Job {
    func run() {}
    func then(_ next: (Job) -> Job) -> Job { next(self) }
}
func repeatJob(times: Int, _ body: (Job, Int) -> Void) {}
func make(_ build: () -> Job) -> Job { build() }

func go(_ jobs: [Job]) {
    jobs.forEach { $0.run() }  // calls :Job.run
    jobs.forEach { job in job.run() }  // calls :Job.run
    repeatJob(times: 2) { job, n in job.run() }  // calls :repeatJob, :Job.run
    repeatJob(times: 2) { $0.run(); _ = $1 }  // calls :repeatJob, :Job.run
    make { Job() }.run()  // calls :make, :Job, :Job.run
    Job().then { job in job.run(); return job }.run()  // calls :Job, :Job.then, :Job.run
    let typed: (Job) -> Void = { $0.run() }  // calls :Job.run
    typed(Job())  // calls :Job
    let plain = { (job: Job) in job.run() }  // calls :Job.run
    plain(Job())  // calls :Job
}
