import type { Answer } from '../agent/call-card.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Agent } from '../session.js'
import type { ApprovalPromptOptions } from './approval-prompt.js'
import type { Question } from './call-gate.js'

export interface Approvals {
  readonly element: HTMLElement
  /** Announces a question to screen readers. */
  readonly status: HTMLElement
  /** Total time spent waiting for the user, milliseconds. */
  readonly waited: number
  /** Asks the user, one question after another. Never rejects: if no one can be asked, the answer is no. */
  ask(question: Question, agent: Agent, begun: Element | null): Promise<boolean>
}

export interface ApprovalsOptions extends ApprovalPromptOptions {
  /** The answer that the user's policy gives by now. Undefined: ask. */
  readonly settled: () => boolean | undefined
  readonly onAllowAll: () => void
  /** Called when a question is shown or removed. */
  readonly onShow: (isShown: boolean) => void
  /** Moves the focus after a question, if nothing had the focus before. */
  readonly focusBack: () => void
  readonly onProblem: (text: string) => void
}

/** Questions about calls of the form, shown in place of the result. The prompt loads on first use. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  const place = h('div', { class: 'approval-place' })
  const told = h('p', { class: 'visually-hidden', role: 'status' })
  const section = h('section', { class: 'result approval', 'aria-label': 'Approval', hidden: true }, h('h3', {}, 'May it run?'), place)
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  let since = 0
  let waited = 0

  async function askNow(question: Question, { runtime }: Agent, begun: Element | null): Promise<boolean> {
    const { request, byPreset } = question
    // The user may have answered the previous question with "allow all".
    const settled = byPreset ? undefined : options.settled()
    if (settled !== undefined) return settled
    if (request.signal.aborted) return false
    const { createApprovalPrompt } = await import('./approval-prompt.js')
    const target = { workspace: runtime.workspace, tool: runtime.registry.get(request.tool) }
    const prompt = createApprovalPrompt(question, target, options)
    show(prompt.element, `${request.tool} needs your approval`)
    if (!section.checkVisibility()) options.onProblem(`${request.tool} waits for your approval, in Tools.`)
    const back = document.activeElement
    // Does not take the focus from a user who works elsewhere by now.
    if (back === document.body || back === begun || section.closest('.pane-tools')?.contains(back)) prompt.focus()
    const answer = await prompt.answer
    const hadFocus = section.contains(document.activeElement)
    show(undefined, '')
    if (hadFocus) giveBack(back)
    return taken(answer)
  }

  function show(card: HTMLElement | undefined, text: string): void {
    place.replaceChildren(...(card ? [card] : []))
    section.hidden = card === undefined
    told.textContent = text
    options.onShow(card !== undefined)
  }

  function giveBack(to: Element | null): void {
    if (to instanceof HTMLElement && to !== document.body && to.isConnected) to.focus()
    if (document.activeElement === document.body) options.focusBack()
  }

  function taken(answer: Answer | undefined): boolean {
    if (answer === 'always') options.onAllowAll()
    return answer === 'approve' || answer === 'always'
  }

  return {
    element: section,
    status: told,
    get waited() {
      return waited + (open > 0 ? performance.now() - since : 0)
    },
    async ask(question, agent, begun) {
      if (open === 0) since = performance.now()
      open += 1
      const asked = last.then(() => askNow(question, agent, begun))
      last = asked.catch(() => undefined)
      try {
        return await asked
      } catch (error) {
        options.onProblem(`The question about ${question.request.tool} could not be shown, so it is denied: ${messageOf(error)}`)
        return false
      } finally {
        open -= 1
        if (open === 0) waited += performance.now() - since
      }
    },
  }
}
