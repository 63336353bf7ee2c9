/** The answer first: who lands next and when, and how many are where. */

import type { VNode } from 'preact'
import { estimateWords } from '../components/time-words.ts'
import { serverNow } from '../model/watched-queue.ts'
import { figuresOf, hasLeft, runsOfBisections, type PageState } from '../state/fold.ts'
import { maySubmit } from '../model/session.ts'
import { Ask, Foreign, PullRequestLink } from '../texts/texts.tsx'

export function Answer({ state }: { state: PageState }): VNode {
  const { testing, passed, held, waiting, notReady, bisections } = figuresOf(state)
  const { slotsUsed, concurrency } = state.queue
  const searching = runsOfBisections(state)
  const figures: readonly (readonly [name: string, count: number, isAlways?: true])[] = [
    ['testing', testing, true],
    ['passed', passed],
    ['held', held],
    ['waiting', waiting, true],
    ['not ready', notReady],
    [bisections === 1 ? 'bisection' : 'bisections', bisections, true],
    ['slots used', slotsUsed, true],
    [searching === 1 ? 'run of bisections' : 'runs of bisections', searching],
  ]
  return (
    <section class="answer row" aria-label="Now">
      <Next state={state} />
      <dl class="figures row">
        {figures
          .filter(([, count, isAlways = false]) => isAlways || count > 0)
          .map(([name, count]) => (
            <div key={name} data-figure={name.replace(/ions$/, 'ion')}>
              <dt class="soft">{name}</dt>
              <dd>
                {count.toLocaleString('en-GB')}
                {name === 'slots used' && ` of ${concurrency}`}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Next({ state: { queue, rows } }: { state: PageState }): VNode {
  const { next, waysIn } = queue
  if ([...rows.values()].every(hasLeft)) {
    return (
      <>
        <p class="next">The queue is empty.</p>
        {maySubmit.value && <HowToSubmit ways={waysIn} />}
      </>
    )
  }
  const { short, range, remark } = estimateWords(next?.estimate ?? null, serverNow.value)
  if (next === null || range === null) {
    return (
      <p class="next">
        When the next one lands is not known.{' '}
        <span class="soft">{remark ?? 'There is no estimate yet.'}</span>
      </p>
    )
  }
  const row = rows.get(next.number) ?? next
  return (
    <p class="next">
      Next lands <b>{short}</b> <span class="soft">({range})</span> <PullRequestLink row={row} />
    </p>
  )
}

function HowToSubmit({ ways }: { ways: readonly string[] }): VNode {
  return (
    <p class="how">
      To submit a pull request: <Ask about={{ about: 'submission' }}>Submit…</Ask>, or{' '}
      <code>mergeyard submit &lt;branch or number&gt;</code>
      {ways.map((way) => (
        <span key={way}>
          , or <Foreign text={way} />
        </span>
      ))}
      .
    </p>
  )
}
