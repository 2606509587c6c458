package main

import "sort"

type Job struct{ name string }

func (j *Job) Run() error { return nil }

func step() int { return 1 }

func retry(times int, task func() error) error {
	for i := 0; i < times; i++ {
		if err := task(); err != nil {
			return err
		}
	}
	return nil
}

func counter() func() int {
	n := 0
	return func() int {
		n += step() // calls :step
		return n
	}
}

func adder(by int) (add func(int) int, reset func()) {
	add = func(n int) int { return n + by + step() } // calls :step
	reset = func() { by = 0 }
	return
}

func with(job *Job, use func(*Job) *Job) *Job {
	return use(job)
}

func main() {
	next := counter() // calls :counter
	next()
	counter()()            // calls :counter
	add, reset := adder(2) // calls :adder
	add(1)
	reset()

	job := &Job{}
	retry(3, job.Run)                               // calls :retry
	retry(3, func() error { return job.Run() })     // calls :retry, :Job.Run
	with(job, func(j *Job) *Job { return j }).Run() // calls :with, :Job.Run

	func() {
		step() // calls :step
	}()

	jobs := []*Job{job}
	sort.Slice(jobs, func(a, b int) bool { return jobs[a].Run() == nil }) // calls :Job.Run

	{
		step := func() int { return 2 }
		step()
	}
	step() // calls :step
	var walk func(n int) int
	walk = func(n int) int {
		if n == 0 {
			return step() // calls :step
		}
		return walk(n - 1)
	}
	walk(3)
}
