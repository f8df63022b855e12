import type { AnyTool } from 'toolport'
import { type Answer, createCallCard } from '../agent/call-card.js'
import { MAY_SEND } from '../agent/policies.js'
import { rehearse } from '../agent/rehearsal.js'
import { h } from '../dom.js'
import type { Workspace } from '../session.js'
import type { Question } from './call-gate.js'
import { describe } from './describe.js'

/** The workspace and tool of a call that needs approval. */
export interface CallPlace {
  readonly workspace: Workspace
  readonly tool: AnyTool | undefined
}

export interface ApprovalPromptOptions {
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string) => void
}

export interface ApprovalPrompt {
  readonly element: HTMLElement
  /** Undefined: the call ended before the user answered. */
  readonly answer: Promise<Answer | undefined>
  /** Focuses the first answer. */
  focus(): void
}

/** Asks about one call: shows its card with a preview of its changes, and the answers. Escape denies. */
export function createApprovalPrompt(question: Question, { workspace, tool }: CallPlace, options: ApprovalPromptOptions): ApprovalPrompt {
  const { request, byPreset } = question
  const { signal } = request
  const card = createCallCard(
    { id: request.callId, tool: request.tool, input: request.input },
    {
      about: tool ? (describe(tool.description)[0]?.textContent ?? '') : '',
      relative: options.relative,
      onOpenPath: options.onOpenPath,
      // The card disappears with the answer, so there is nothing to undo or compare.
      onUndo: () => Promise.resolve(),
      onCompare: () => undefined,
    },
  )
  const preview = tool
    ? rehearse(workspace, request, signal, [tool]).catch(() => undefined) // Without a preview, the card shows only the input.
    : Promise.resolve(undefined)
  const given = card.ask(aboutOf(question), preview, !byPreset)
  const element = h('div', { class: 'approval-card', on: { keydown: onKey } }, card.element)
  let deny: () => void = () => undefined
  const answer = new Promise<Answer | undefined>((resolve) => {
    const giveUp = (): void => resolve(undefined)
    deny = () => resolve('deny')
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    void given.then((one) => {
      signal.removeEventListener('abort', giveUp)
      resolve(one)
    })
  })

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      deny()
    }
    // Ignores keys that are still held down from starting the call.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
  }

  return {
    element,
    answer,
    // Does not scroll: the answers are always visible, and the call should be visible too.
    focus: () => element.querySelector<HTMLElement>('.card-answers .button')?.focus({ preventScroll: true }),
  }
}

/** Additional information about the question. */
function aboutOf({ request, byPreset, madeBy }: Question): string | undefined {
  const { path, access, command, reason, input } = request
  const wanted = [
    madeBy === undefined ? '' : `A call that ${madeBy} makes.`,
    (byPreset || reason === MAY_SEND) && reason !== undefined ? sentence(reason) : '',
    path === undefined ? '' : `It wants to ${access ?? 'use'} ${path}.`,
    command === undefined || command === Reflect.get(Object(input), 'command') ? '' : `It wants to run: ${command}`,
  ].filter(Boolean)
  return wanted.length ? wanted.join('\n') : undefined
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
