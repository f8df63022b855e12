import type { ModelRequest } from './request.js'
import { type Answer, answerOf, type ModelScript } from './step.js'

/** Returns one step of a script per request. */
export class Script {
  readonly requests: ModelRequest[] = []
  readonly #steps: ModelScript
  #calls = 0

  constructor(steps: ModelScript) {
    this.#steps = steps
  }

  get remaining(): number {
    return Math.max(0, this.#steps.length - this.requests.length)
  }

  /** @throws Error if the script has no step for the request; errors of the step's function */
  async answer(request: ModelRequest): Promise<Answer> {
    const number = this.requests.push(request)
    const step = this.#steps[number - 1]
    if (step === undefined) {
      const { role, text } = request.messages.at(-1) ?? { role: 'system', text: '' }
      const count = this.#steps.length
      throw new Error(
        `Cannot answer model request ${number}: the script has ${count} ${count === 1 ? 'step' : 'steps'}. Add a step to scriptedModel([...]), or end the loop earlier. Last message (${role}): ${text.slice(0, 500)}`,
      )
    }
    return answerOf(typeof step === 'function' ? await step(request) : step, number, () => `scripted_${++this.#calls}`)
  }
}
