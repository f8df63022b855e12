/** Calls a listener and ignores its exceptions and rejections. */
export function notify<Args extends readonly unknown[]>(listener: (...args: Args) => void, ...args: Args): void {
  try {
    const answer: unknown = listener(...args)
    if (typeof answer === 'object' && answer !== null && 'then' in answer) void swallow(answer)
  } catch {
    // Ignore the exception: a listener must not affect the caller or other listeners.
  }
}

async function swallow(answer: unknown): Promise<void> {
  try {
    await answer
  } catch {
    // Ignore the rejection for the same reason.
  }
}
