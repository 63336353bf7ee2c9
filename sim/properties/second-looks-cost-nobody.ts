import type { BisectionId, EventOf, TestRun } from '../../engine/index.ts'
import type { BisectionRecord } from '../ledger/bisections.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-74, E-81, E-141, E-142. A bisection slot is left over if no run wants it, and beside
 * the search another one stays free: each bisection has a run under way, or one to be repeated, for which a slot is kept. In such a slot, and only
 * there, the failed run of a batch is made once more. It is made anyway where the failure must be
 * confirmed, or where it was requested.
 */
export const secondLooksCostNobody: Property = {
  name: 'second-looks-cost-nobody',
  sentence:
    'The failed run of a batch is made once more wherever a bisection slot is left over, and only there; nobody is convicted by elimination where a second look is possible or needed.',
  watch({ check, ledger }) {
    const { settings, secondLooks, bisections, runs } = ledger
    /** Runs of bisections that are to be repeated. */
    const retries = new Map<BisectionId, readonly TestRun[]>()

    const keep = (id: BisectionId, isKept: (run: TestRun) => boolean): void => {
      const kept = (retries.get(id) ?? []).filter(isKept)
      if (kept.length > 0) retries.set(id, kept)
      else retries.delete(id)
    }
    const slotsLeftOver = (): number => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      let taken = runs.taken.bisection
      for (const planned of retries.values()) taken += planned.length
      return settings.state === 'PAUSED' ? 0 : (bisectionConcurrency ?? concurrency) - taken
    }
    const hasRun = (id: BisectionId, is: (run: TestRun) => boolean): boolean => {
      for (const { run } of runs.underWay.values())
        if (run.owner.kind === 'bisection' && run.owner.bisection === id && is(run)) return true
      return false
    }
    const isOnlyToBeConfirmed = (bisection: BisectionRecord): boolean =>
      bisection.open.length === 1 && secondLooks.isOpen(bisection)
    /** Whether it wants a slot: it has no run under way that decides anything, and could have one. */
    const isIdle = (bisection: BisectionRecord): boolean => {
      const { id, open } = bisection
      if (open.length === 0 || retries.has(id) || isOnlyToBeConfirmed(bisection)) return false
      // The search goes on beside a second look, except for one that is needed or decides on the last.
      const isAwaited = (run: TestRun): boolean =>
        open.length === 1 || secondLooks.isNeeded(id) || !secondLooks.isSecondLook(run)
      return !hasRun(
        id,
        (run) => run.tested.some((number) => open.includes(number)) && isAwaited(run),
      )
    }
    const checkStart = ({ run }: EventOf<'testRunStarted'>, point: Point): void => {
      const { owner } = run
      if (owner.kind === 'main' || retries.has(owner.bisection)) return
      const bisection = bisections.all.get(owner.bisection)
      if (!bisection || !secondLooks.isSecondLook(run) || secondLooks.isNeeded(bisection.id)) return
      const idle = [...bisections.all.values()].find(isIdle)
      check(slotsLeftOver() >= slotsNeeded(bisection) && idle === undefined, point, () => ({
        story: `Run ${run.id} looks once more at the failed batch at ${minute(point.at)}, although ${idle ? `the bisection of ${pullRequests(idle.members)} wants the slot` : 'no slot is left over'}.`,
        pullRequests: run.tested,
      }))
    }
    const checkConviction = (
      { number, reason }: EventOf<'pullRequestMoved'>,
      point: Point,
    ): void => {
      const bisection = bisections.of(number)
      if (reason !== 'TEST_RUN_FAILED_BY_OPTIMIZATION' || !bisection) return
      const isOpen = secondLooks.isOpen(bisection)
      const isNeeded = isOpen && secondLooks.isNeeded(bisection.id)
      check(!isNeeded && (!isOpen || slotsLeftOver() <= 0), point, () => ({
        story: `Pull request ${number} FAILED by elimination at ${minute(point.at)} without a second look, which ${isNeeded ? 'its failure needs' : 'had a slot left over'}.`,
        pullRequests: [number],
      }))
    }
    const checkRest = (point: Point): void => {
      if (bisections.all.size === 0) return
      const leftOver = slotsLeftOver()
      for (const bisection of bisections.all.values()) {
        if (retries.has(bisection.id) || leftOver < slotsNeeded(bisection)) continue
        const isLooking = secondLooks.isUnderWay(bisection.id)
        check(isLooking || !secondLooks.isOpen(bisection), point, () => ({
          story: `At ${minute(point.at)} a slot is left over, and nothing looks once more at the failed batch of ${pullRequests(bisection.members)}.`,
          pullRequests: bisection.members,
        }))
      }
    }

    return {
      on: {
        testRunStarted(event, point) {
          checkStart(event, point)
          const { owner, composition } = event.run
          if (owner.kind === 'bisection')
            keep(owner.bisection, (run) => run.composition !== composition)
        },
        bisectionRetryPlanned({ bisection, retry: { of } }) {
          retries.set(bisection, [...(retries.get(bisection) ?? []), of])
        },
        membersProven({ bisection, members }) {
          keep(bisection, ({ tested }) => !members.includes(tested.at(-1) ?? 0))
        },
        memberDeparted({ bisection, number }) {
          keep(bisection, ({ base, tested }) => ![...base, ...tested].includes(number))
        },
        bisectionEnded: ({ bisection }) => void retries.delete(bisection),
        pullRequestEnded: checkConviction,
      },
      atRest: checkRest,
    }
  },
}

/** Beside the search another slot stays free, for a bisection that begins meanwhile. */
const slotsNeeded = ({ open }: BisectionRecord): number => (open.length === 1 ? 1 : 2)
