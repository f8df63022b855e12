import { visibleNameText } from '../visible.js'
import type { DraftKeeper } from './draft-keeper.js'
import type { Draft } from './drafts.js'
import { createStateBar } from './state-bar.js'

export interface DraftOffer {
  readonly element: HTMLElement
  /** Offers the drafts from earlier visits to the workspace. */
  offer(): Promise<void>
  /** Removes the offer. */
  end(): void
}

const NAMED = 3

export interface DraftOfferOptions {
  readonly onOpen: (kept: readonly Draft[]) => void
  /** Called when the offer disappears while one of its buttons has the focus. */
  readonly onLeave: () => void
}

/** Offers drafts from earlier visits. */
export function createDraftOffer(keeper: DraftKeeper, { onOpen, onLeave }: DraftOfferOptions): DraftOffer {
  const bar = createStateBar('Text that was not saved', onLeave)
  /** Counts offers, so that an outdated offer is dropped. */
  let offers = 0

  function end(): void {
    offers += 1
    bar.show(undefined)
  }

  async function offer(): Promise<void> {
    end()
    const mine = offers
    const kept = await keeper.left()
    if (mine !== offers || kept.length === 0) return
    const open = (): void => {
      end()
      onOpen(kept)
    }
    const discard = (): void => {
      for (const draft of kept) keeper.discard(draft)
      end()
    }
    bar.show({
      kind: 'info',
      text: `Not saved when this page was left: ${namesOf(kept)}.`,
      actions: [
        { label: 'Open', primary: true, run: open },
        { label: 'Discard', run: discard },
      ],
    })
  }

  return { element: bar.element, offer, end }
}

function namesOf(kept: readonly Draft[]): string {
  const names = kept.slice(0, NAMED).map(({ path }) => visibleNameText(path.slice(path.lastIndexOf('/') + 1)))
  return `${names.join(', ')}${kept.length > NAMED ? ` and ${kept.length - NAMED} more` : ''}`
}
