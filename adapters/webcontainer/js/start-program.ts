import { JsError } from '../../../src/errors/index.js'
import type { JsProgram } from '../../../src/types/js.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { messageOf } from '../faults.js'
import { environment } from '../shell/environment.js'
import { fromWorkdir } from '../shell/places.js'
import { type Running, startCommand } from '../shell/process.js'
import { type Conversation, createConversation } from './conversation.js'
import { SUPPORT_FILE } from './es-copy.js'
import type { Placed } from './find-program.js'
import { frameStart } from './frames.js'
import { SCRIPT } from './guest/script.js'
import { createInbox, type Inbox } from './inbox.js'
import { failToStart } from './outcomes.js'
import type { PrivateFolder } from './private-folder.js'
import type { Task } from './task.js'

const COPY_FILE = 'program.mjs'
const SCRIPT_FILE = 'start.mjs'

export interface StartOptions {
  readonly container: WebContainerProcessesLike
  readonly program: JsProgram
  readonly placed: Placed
  readonly folder: PrivateFolder
  readonly token: string
  /** The variables that the adapter adds to the program's environment. */
  readonly env: Readonly<Record<string, string>> | undefined
  readonly stdin: string
  /** Whether `stdin` is the whole input, so that no further input follows. */
  readonly closed: boolean
  readonly onOutput: (output: ShellOutput) => void
  readonly onTaken?: (posts: number) => void
}

/** A running program, with the connections in both directions. */
export interface Started {
  readonly running: Running
  readonly conversation: Conversation
  readonly inbox: Inbox
  /** Resolves if the answer to a tool call could not be delivered. The program must then be ended, because it would wait forever. */
  readonly lost: Promise<{ readonly failure: string }>
}

/** @throws {JsError} spawn_failed */
export async function startProgram(options: StartOptions): Promise<Started> {
  const { container, program, placed, folder, token, onOutput, onTaken } = options
  await writeFiles(options)
  let lose = (_: { readonly failure: string }): void => {}
  const lost = new Promise<{ readonly failure: string }>((resolve) => {
    lose = resolve
  })
  const inbox = createInbox(folder.write)
  const conversation = createConversation({
    token,
    inbox,
    copy: `${folder.path}/${COPY_FILE}`,
    main: placed.main,
    invokeTool: program.grants?.invokeTool,
    onOutput,
    ...(onTaken && { onTaken }),
    onLost: (error) => lose({ failure: `cannot pass the result of a tool to the program: ${messageOf(error)}` }),
  })
  const cwd = fromWorkdir(container.workdir, placed.cwd.host)
  const running = await startCommand(container, ['node', `${folder.path}/${SCRIPT_FILE}`], {
    ...(cwd !== undefined && { cwd }),
    env: environment(container.path, false, options.env, program.env, { PWD: placed.cwd.host }),
    lines: true,
    onOutput: conversation.push,
  }).catch(failToStart)
  return { running, conversation, inbox, lost }
}

async function writeFiles({ program, placed, folder, token, stdin, closed }: StartOptions): Promise<void> {
  const { script, main, kind, code, copy, typescript } = placed
  const task: Task = {
    start: frameStart(token),
    script,
    args: program.args ?? [],
    main,
    kind,
    ...(code !== undefined && { code }),
    ...(copy && { copy: `./${COPY_FILE}` }),
    stdin,
    closed,
    tools: program.grants?.invokeTool !== undefined,
    typescript,
  }
  const files: [name: string, text: string][] = [
    [SCRIPT_FILE, SCRIPT],
    ['task.json', JSON.stringify(task)],
  ]
  if (copy) files.push([COPY_FILE, copy.code], [SUPPORT_FILE, copy.support])
  try {
    await Promise.all(files.map(([name, text]) => folder.write(name, text)))
  } catch (cause) {
    const message = `Cannot start the program: its files could not be written into the container: ${messageOf(cause)}`
    throw new JsError('spawn_failed', message, { cause })
  }
}
