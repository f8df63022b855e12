/** The part of `navigator.storage` that Toolport uses. */
interface StorageLike {
  persist?(): Promise<boolean>
  persisted?(): Promise<boolean>
}

const storage = (): StorageLike | undefined =>
  (globalThis as { readonly navigator?: { readonly storage?: StorageLike } }).navigator?.storage

/**
 * Asks the browser not to clear this site's data when the browser needs room. Some browsers then ask the user. Returns false if the browser
 * declines or cannot do this. Never rejects.
 */
export async function requestPersistence(): Promise<boolean> {
  try {
    return (await storage()?.persist?.()) ?? false
  } catch {
    return false
  }
}

/**
 * Returns whether the browser has promised not to clear this site's data when it needs room. Returns false if the browser cannot tell.
 * Never rejects.
 */
export async function isPersisted(): Promise<boolean> {
  try {
    return (await storage()?.persisted?.()) ?? false
  } catch {
    return false
  }
}
