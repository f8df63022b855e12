import { Fault } from '../shared/fault.js'
import { answer } from '../shared/requests.js'
import type { ConnectionOptions, View } from './connection.js'
import type { JournalRecord } from './nodes.js'
import { Notices } from './notices.js'
import { JOURNAL, openDatabase, PARTS } from './schema.js'
import { Tree } from './tree.js'

/** The index as it is behind one record of the journal. */
interface Moment {
  readonly last: IDBValidKey | undefined
  readonly tree: Tree
}

/**
 * Looks on at a store that somebody else writes. Each look is one transaction over index and content, so what it sees belongs together: it is
 * as it was after some whole call of the other, and never older than what an earlier look saw.
 */
export class Reader {
  readonly isReadOnly = true
  lost: Fault | undefined
  readonly #options: ConnectionOptions
  readonly #db: IDBDatabase
  readonly #notices: Notices
  #newest: Moment | undefined

  /** @throws {Fault} */
  static async open(options: ConnectionOptions): Promise<Reader> {
    return new Reader(options, await openDatabase(options))
  }

  private constructor(options: ConnectionOptions, db: IDBDatabase) {
    this.#options = options
    this.#db = db
    this.#notices = new Notices(options.name, () => {
      if (!this.lost) options.onChange()
    })
    db.onversionchange = () => this.#lose('another page deletes it or brings it up to date')
    db.onclose = () => this.#lose('the browser took it away')
  }

  #lose(why: string): void {
    this.lost ??= new Fault('EIO', why)
    this.#db.close()
    this.#notices.close()
  }

  async look<T>(work: (view: View) => T | Promise<T>): Promise<T> {
    const transaction = this.#db.transaction([PARTS, JOURNAL])
    const tree = await this.#treeIn(transaction.objectStore(JOURNAL))
    return work({ tree, parts: () => transaction.objectStore(PARTS), sync: async () => undefined })
  }

  /** The index as this transaction has it. Two that overlap may have different ones, and the older must not take the newer's place. */
  async #treeIn(journal: IDBObjectStore): Promise<Tree> {
    const last = (await answer(journal.openKeyCursor(null, 'prev')))?.key
    if (this.#newest && this.#newest.last === last) return this.#newest.tree
    const records: JournalRecord[] = await answer(journal.getAll())
    const tree = new Tree(records, this.#options.now)
    if (!this.#newest || Number(this.#newest.last) < Number(last)) this.#newest = { last, tree }
    return tree
  }

  async close(): Promise<void> {
    this.#db.close()
    this.#notices.close()
  }
}
