/** Calls a listener and ignores its exceptions and rejections. */
export function tell<Args extends readonly unknown[]>(listener: (...args: Args) => void, ...args: Args): void {
  try {
    const answer: unknown = listener(...args)
    if (typeof answer === 'object' && answer !== null && 'then' in answer) void swallow(answer)
  } catch {
    // An exception of a listener does not fail the call, and the other listeners go on.
  }
}

async function swallow(answer: unknown): Promise<void> {
  try {
    await answer
  } catch {
    // As above.
  }
}
