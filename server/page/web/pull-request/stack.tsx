/** The stack of a pull request as it stands: the top first, the branch below all. */

import type { VNode } from 'preact'
import type { PullRequestPage } from '../../answers.ts'
import { pageState } from '../model/watched-queue.ts'
import { lookOf } from '../parts/looks.ts'
import { StateWord } from '../parts/mark.tsx'
import { Foreign, PullRequestLink } from '../pieces/texts.tsx'
import { listed } from '../state/consequences.ts'
import { bisected } from '../state/figures.ts'

export function Stack({ page: { queue, stack, row: own } }: { page: PullRequestPage }): VNode {
  const known = pageState.value
  return (
    <section aria-label="Stack">
      <h2>Stack</h2>
      <ol class="stack" reversed>
        {stack.toReversed().map(({ number, dependsOn, member, state }) => {
          const { state: now } = known?.rows.get(number) ?? { state }
          return (
            <li
              class="row"
              key={number}
              {...(number === own.number ? { 'aria-current': 'true' } : {})}
            >
              {now === null ? (
                <span class="soft">never submitted</span>
              ) : (
                <StateWord look={lookOf(now, known !== null && bisected(known).has(number))} />
              )}
              <PullRequestLink queue={queue.id} row={member ? { number, member } : { number }} />
              {dependsOn.length > 0 && <span class="soft">after {listed(dependsOn)}</span>}
            </li>
          )
        })}
        <li class="row soft">
          <Foreign text={queue.targetBranch} />
        </li>
      </ol>
    </section>
  )
}
