/** What the engine did, in the words of the model. */

import type { Event, EventOf, TestRun } from '../../engine/index.ts'
import { textOfRun } from './state/deeds.ts'

export type Said = {
  readonly subject: string
  readonly text: string
  readonly run: TestRun | null
  readonly numbers: readonly number[]
}

/** The deeds of a step. `runs` knows every run that has started; it learns the new ones. */
export function saidBy(events: readonly Event[], runs: Map<number, TestRun>): Said[] {
  const all = events.flatMap((event) => deedsOf(event, runs))
  return all.map((each) => ({ run: null, numbers: [], ...each }))
}

type Words = Pick<Said, 'subject' | 'text'> & Partial<Said>

function deedsOf(event: Event, runs: Map<number, TestRun>): Words[] {
  const { type } = event
  if (type === 'pullRequestSubmitted') return [moved(event.number, `submitted, ${event.state}`)]
  if (type === 'pullRequestMoved') return movesOf(event)
  if (type === 'testRunCancelled') return [cancelOf(event, runs)]
  if (type === 'testRunSaved')
    return [{ subject: 'saved runs', text: `saved run ${event.testRun}` }]
  if (type === 'queueStateChanged') {
    return [{ subject: 'queue', text: `queue ${event.from} to ${event.to}` }]
  }
  if (type === 'mergeRequested') {
    const text = `request the merge of ${event.number}`
    return [{ subject: 'merge requests', text, numbers: [event.number] }]
  }
  if (type === 'tipMoved') {
    return [{ subject: 'branch', text: event.number === null ? 'push' : `merge ${event.number}` }]
  }
  if (type !== 'testRunStarted') return []
  const { run } = event
  runs.set(run.id, run)
  return [{ subject: `${run.owner.kind} runs`, text: textOf(run), run, numbers: run.tested }]
}

function cancelOf(event: EventOf<'testRunCancelled'>, runs: Map<number, TestRun>): Words {
  const run = runs.get(event.testRun)
  const text = `cancel ${run ? textOf(run) : 'an unknown run'} (${event.cause})`
  return { subject: text, text, numbers: run?.tested ?? [] }
}

const moved = (number: number, text: string): Words => ({
  subject: `pull request ${number}`,
  text: `${number}: ${text}`,
  numbers: [number],
})

function movesOf(event: EventOf<'pullRequestMoved'>): Words[] {
  const { number, from, to, reason } = event
  const details = to === 'FAILED' ? evidenceOf(event) : ''
  const move = moved(number, `${from} to ${to} (${reason ?? 'no reason'})${details}`)
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  const numbers = [number]
  return isEnd ? [move, { subject: 'departures', text: `${number} ${to}`, numbers }] : [move]
}

function evidenceOf({ evidence }: EventOf<'pullRequestMoved'>): string {
  if (!evidence) return ', without evidence'
  const { failedIn, passedWithout, failedTests } = evidence
  if (failedIn === null) return ', failed in no run'
  const tests = failedTests.map(({ name, file = '' }) => (file === '' ? name : `${file} > ${name}`))
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

const textOf = ({ owner, tip, base, tested }: TestRun): string =>
  textOfRun({ of: owner.kind, tip, base, tested })
