import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, safety 10 and "Queue states". Runs under way go on and their results are kept; a merge
 * that the code host works on may land, and a batch of which one has merged finishes.
 */
export const pausedMeansPaused: Property = {
  name: 'paused-means-paused',
  sentence: 'A PAUSED queue starts no run, lets nobody in and merges nothing that had not begun.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { settings } = books

    const forbid = (
      seen: Seen,
      numbers: readonly number[],
      what: (who: string) => string,
    ): void => {
      if (settings.state !== 'PAUSED') return
      judge(false, seen, () => ({
        story: `At ${minute(seen.at)} the queue was PAUSED, and ${what(pullRequests(numbers))}.`,
        pullRequests: numbers,
      }))
    }

    return watcher(setting, {
      on: {
        testRunStarted({ run }, seen) {
          const kind = run.owner.kind === 'main' ? 'run' : 'bisection run'
          forbid(seen, run.tested, (who) => `${kind} ${run.id} started for ${who}`)
        },
        groupPlaced({ members, cause }, seen) {
          if (cause === 'survivors' || cause === 'proven') return
          forbid(seen, members, (who) => `${who} came into the line (${cause})`)
        },
        pullRequestSubmitted({ number, state }, seen) {
          if (state === 'PENDING') forbid(seen, [number], (who) => `${who} was let in`)
        },
        mergeRequested({ number }, seen) {
          if (books.line.groupOf(number)?.hasBegun === true) return
          forbid(seen, [number], (who) => `the merge of ${who} was asked for`)
        },
        pullRequestMoved({ number, from, to }, seen) {
          if (from === 'NOT_READY' && to === 'PENDING') {
            forbid(seen, [number], (who) => `${who} became ready`)
          }
        },
        pullRequestEnded({ number, to, reason }, seen) {
          if (to !== 'MERGED' || reason === 'MANUAL_MERGE') return
          const group = books.line.groupOf(number)
          if (group?.hasBegun === true || group?.merging === number) return
          forbid(seen, [number], (who) => `${who} merged`)
        },
      },
      // What counts as looked at: every command during which the queue was PAUSED.
      atRest(seen) {
        if (settings.state === 'PAUSED') judge(true, seen, nothing)
      },
    })
  },
}

const nothing = (): { story: string; pullRequests: number[] } => ({ story: '', pullRequests: [] })
