import type { LanguageModel } from 'ai'
import { SAMPLE_PATH } from '../sample-program.js'

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
type Prompt = Parameters<Model['doStream']>[0]['prompt']
type ToolOutput = Extract<Extract<Prompt[number], { readonly role: 'tool' }>['content'][number], { readonly type: 'tool-result' }>

interface RecordedAnswer {
  readonly text: string
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[]
}

/** The first message of the recorded conversation. */
export const RECORDED_QUESTION = `${SAMPLE_PATH} counts empty lines too. Leave them out, and show me that it works.`

/** The edit that the recording makes to the sample program. */
export const RECORDED_EDIT = {
  old_string: `text.split('\\n').length - 1`,
  new_string: `text.split('\\n').filter((line) => line.trim()).length`,
}

/** Folder of the sample program. The program exists in every workspace when the recording starts. */
const FOLDER = SAMPLE_PATH.slice(0, SAMPLE_PATH.lastIndexOf('/'))

const ANSWERS: readonly RecordedAnswer[] = [
  {
    text: 'I read the program first, and look for other places that count lines.',
    calls: [
      { name: 'read_file', input: { path: SAMPLE_PATH } },
      { name: 'grep', input: { pattern: String.raw`split\('\\n'\)`, path: FOLDER } },
    ],
  },
  {
    text: `It counts the pieces between line breaks, so an empty line is one of them. That is the only place. I keep the pieces that have something in them:`,
    calls: [{ name: 'edit_file', input: { path: SAMPLE_PATH, edits: [RECORDED_EDIT] } }],
  },
  {
    text: 'Now I run it, to see that it still works.',
    calls: [{ name: 'bash', input: { command: `node ${SAMPLE_PATH} .` } }],
  },
  {
    text: `It works: \`${SAMPLE_PATH}\` counts only **lines that hold something** now.

- One line has changed. The numbers of the run above are without the empty lines.
- If you do not want it: **Undo** on the change puts the file back, and so does the timeline beside the files.

This was a recording: what I say was written beforehand, and the calls ran for real, in this tab. Connect a model to go on with a request of your own.`,
  },
]

const NOT_RUN: RecordedAnswer = {
  text: 'That call did not go through, so I leave it there. A model would look for another way now; this recording has none. Connect a model to go on.',
}

const ranBadly = (how: string): RecordedAnswer => ({
  text: `The change is made, but the run above did not go well (**${how}**), so I cannot say that it works.

- What the run printed says why.
- **Undo** on the change puts the file back, and so does the timeline beside the files.

A model would look for the reason now; this recording has none. Connect a model to go on.`,
})

export interface RecordedOptions {
  /** Delay between two words, milliseconds; 0: no delay. */
  readonly pace: number
}

/** Creates a model that replays recorded answers and makes real tool calls. */
export function createRecordedModel({ pace }: RecordedOptions): Model {
  return {
    specificationVersion: 'v4',
    provider: 'recorded',
    modelId: 'recorded',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new TypeError('The recorded model only streams')),
    async doStream({ prompt, abortSignal }) {
      return { stream: streamOf(partsOf(answerTo(prompt)), pace, abortSignal) }
    },
  }
}

/** Chooses the recorded answer by counting the model's answers since the last user message. */
function answerTo(prompt: Prompt): RecordedAnswer {
  const asked = prompt.findLastIndex(({ role }) => role === 'user')
  const since = prompt.slice(asked + 1)
  const last = since.at(-1)
  const outputs = last?.role === 'tool' ? last.content.flatMap((part) => (part.type === 'tool-result' ? [part] : [])) : []
  if (outputs.some(({ output }) => output.type === 'error-text')) return NOT_RUN
  const [how] = outputs.flatMap(howItFailed)
  return how === undefined ? (ANSWERS[since.filter(({ role }) => role === 'assistant').length] ?? NOT_RUN) : ranBadly(how)
}

/** How a shell command failed, from the end of its output. Empty for other tools and for success. */
function howItFailed({ toolName, output }: ToolOutput): string[] {
  if (toolName !== 'bash' || output.type !== 'text') return []
  return (/\[((?:exit code|timed out|aborted)[^\]\n]*)\]$/.exec(output.value) ?? []).slice(1)
}

let lastId = 0

function partsOf({ text, calls = [] }: RecordedAnswer): StreamPart[] {
  const words = text.match(/\S+\s*/g) ?? []
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end', id: '1' },
    ...calls.map(({ name, input }) => {
      lastId += 1
      return { type: 'tool-call' as const, toolCallId: `recorded_${lastId}`, toolName: name, input: JSON.stringify(input) }
    }),
    {
      type: 'finish',
      finishReason: { unified: calls.length ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    },
  ]
}

function streamOf(parts: readonly StreamPart[], pace: number, signal: AbortSignal | undefined): ReadableStream<StreamPart> {
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const part = parts[next++]
      if (part?.type === 'text-delta' && pace > 0) await wait(pace, signal)
      if (signal?.aborted) controller.error(signal.reason)
      else if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
