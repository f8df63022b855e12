import type { Process } from '../process/process.js'

export interface Job {
  /** The job's number, as in `%1`. */
  readonly number: number
  readonly process: Process
  /** `BASHPID` of the shell that started the job. Other shells cannot wait for it. */
  readonly owner: number
  /** Source text of the job. */
  readonly text: string
  /** Resolves with the status of the job. Never rejects. */
  readonly ended: Promise<number>
  /** The exit status. Undefined while the job runs. */
  status: number | undefined
}

/** Maximum number of jobs of one command that run at the same time. */
export const MAX_JOBS = 256
/** Maximum number of statuses to remember for `wait`. */
const MAX_ENDED = 1024

/** The jobs of one command. */
export class JobTable {
  #jobs: Job[] = []
  #statuses = new Map<number, { readonly owner: number; readonly status: number }>()

  get running(): number {
    return this.#jobs.filter(({ status }) => status === undefined).length
  }

  add(job: Omit<Job, 'number' | 'status'>): Job {
    const number = 1 + Math.max(0, ...this.of(job.owner).map((each) => each.number))
    const added: Job = { ...job, number, status: undefined }
    this.#jobs.push(added)
    void job.ended.then((status) => this.#end(added, status))
    return added
  }

  /** Returns the jobs of a shell, in the order of their start. */
  of(owner: number): readonly Job[] {
    return this.#jobs.filter((job) => job.owner === owner)
  }

  all(): readonly Job[] {
    return this.#jobs
  }

  /** Removes a job that was waited for, shown as ended or disowned. Its status stays available by PID. */
  forget(job: Job): void {
    this.#jobs = this.#jobs.filter((each) => each !== job)
  }

  /** Finds a job by `%n`, `%%`, `%+`, `%-`, `%text`, `%?text` or a PID. */
  find(owner: number, given: string): Job | undefined {
    if (/^\d+$/.test(given)) return this.#jobs.find(({ process }) => process.pid === Number(given))
    if (!given.startsWith('%')) return undefined
    const jobs = this.of(owner)
    const name = given.slice(1)
    if (name === '' || name === '%' || name === '+') return jobs.at(-1)
    if (name === '-') return jobs.at(-2) ?? jobs.at(-1)
    if (/^\d+$/.test(name)) return jobs.find(({ number }) => number === Number(name))
    return jobs.find(({ text }) => (name.startsWith('?') ? text.includes(name.slice(1)) : text.startsWith(name)))
  }

  /** Returns the status of a job that has ended and was removed. */
  statusOf(owner: number, pid: number): number | undefined {
    const found = this.#statuses.get(pid)
    return found?.owner === owner ? found.status : undefined
  }

  #end(job: Job, status: number): void {
    job.status = status
    this.#statuses.set(job.process.pid, { owner: job.owner, status })
    if (this.#statuses.size > MAX_ENDED) for (const pid of this.#statuses.keys()) return void this.#drop(pid)
  }

  /** Drops the status of an old job, so that a long session does not keep all statuses. */
  #drop(pid: number): void {
    this.#statuses.delete(pid)
    const job = this.#jobs.find((each) => each.process.pid === pid)
    if (job?.status !== undefined) this.forget(job)
  }
}
