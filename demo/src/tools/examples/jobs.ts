import type { Example, ExampleTable, Known } from './known.js'

/** A job that asks for input, counts, and can be stopped. */
export const BACKGROUND = {
  command: 'echo "Who is there?"; read name; for i in $(seq 300); do echo "$i, $name"; sleep 1; done',
  run_in_background: true,
  session_name: 'counter',
}

/** Examples for the tools of background sessions, using the newest session. */
export function jobExamples(known: Known): ExampleTable {
  const on = onJob(known, 'bash')
  const missing: Example = { label: 'No such one', input: { session_id: 'bg-bash-0-00000000' } }
  return {
    read_background_bash: [on('What is new', {}), on('Look only', { peek: true }), on('Standard error', { stream: 'stderr' }), missing],
    write_background_bash: [on('A line', { input: 'Ada' }), on('Ctrl+C', { key: 'ctrl+c' })],
    list_background_bash: [
      { label: 'Those that run', input: {} },
      { label: 'All of them', input: { include_exited: true } },
    ],
    resize_background_bash: [on('80 x 24', { cols: 80, rows: 24 })],
    stop_background_bash: [on('Stop it', {}), on('At once', { force: true }), missing],
  }
}

/** Examples for JavaScript background sessions. `keys`: whether the tool can send keys. */
export function jsJobExamples(known: Known, keys: boolean): ExampleTable {
  const on = onJob(known, 'js')
  const missing: Example = { label: 'No such one', input: { session_id: 'bg-js-0-00000000' } }
  return {
    read_background_js: [on('What is new', {}), on('Look only', { peek: true }), missing],
    write_background_js: [on('A line', { input: 'Ada' }), keys ? on('The end of its input', { key: 'ctrl+d' }) : undefined],
    list_background_js: [
      { label: 'Those that run', input: {} },
      { label: 'All of them', input: { include_exited: true } },
    ],
    stop_background_js: [on('Stop it', {}), on('At once', { force: true }), missing],
  }
}

function onJob({ jobs }: Known, kind: 'bash' | 'js'): (label: string, input: object) => Example | undefined {
  const id = jobs.find((job) => job.startsWith(`bg-${kind}-`))
  return (label, input) => (id === undefined ? undefined : { label, input: { session_id: id, ...input } })
}
