package concurrency

import (
	"context"
	"sync"
	"time"
)

type Task struct {
	reply chan Result
	ctx   context.Context
}

type Result struct{ err error }

func (r Result) Err() error { return r.err }
func (t *Task) Done() bool  { return t.ctx.Err() != nil }

type Pool struct {
	mu    sync.RWMutex
	wait  sync.WaitGroup
	tasks chan *Task
	once  sync.Once
	quit  <-chan struct{}
}

func NewPool(size int) *Pool {
	p := &Pool{tasks: make(chan *Task, size)}
	for i := 0; i < size; i++ {
		p.wait.Add(1)
		go p.work(i) // calls :Pool.work
	}
	return p
}

func (p *Pool) work(id int) {
	defer p.wait.Done()
	for task := range p.tasks {
		if task.Done() { // calls :Task.Done
			continue
		}
		task.reply <- run(task) // calls :run
	}
}

func (p *Pool) Add(t *Task) Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.once.Do(func() { p.start() }) // calls :Pool.start
	p.once.Do(p.start)
	p.tasks <- t
	select {
	case result := <-t.reply:
		result.Err() // calls :Result.Err
		return result
	case <-time.After(time.Second):
		return Result{t.ctx.Err()}
	case other, ok := <-p.tasks:
		if ok {
			other.Done() // calls :Task.Done
		}
	}
	return <-t.reply
}

func (p *Pool) start() {}

// Wait is also a method of the wait group.
func (p *Pool) Wait() { p.wait.Wait() }

// Done is also a method of the context.
func (p *Pool) Done() <-chan struct{} { return p.quit }

func run(t *Task) Result { return Result{} }

func use(ctx context.Context) {
	p := NewPool(2) // calls :NewPool
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.Add(&Task{ctx: ctx}).Err() // calls :Pool.Add, :Result.Err
	go func(p *Pool) {
		p.Wait() // calls :Pool.Wait
	}(p)
	select {
	case <-ctx.Done():
	case <-p.Done(): // calls :Pool.Done
	}
	(<-p.tasks).Done() // calls :Task.Done
	results := []chan Result{make(chan Result)}
	(<-results[0]).Err() // calls :Result.Err
	var latest sync.Map
	latest.Load("a")
}
