/** A bisection: the search for the culprits of a failed batch, which grows by a step at a time. */

import type { VNode } from 'preact'
import type { BisectionTree } from '../../../../server/page/frame.ts'
import { lookOf, runLook, type Look } from '../../parts/looks.ts'
import { StateWord } from '../../parts/mark.tsx'
import type { PageState } from '../state/fold.ts'
import { openMembers, searchTree, type SearchNode } from '../state/bisection-tree.ts'
import { listed } from '../state/consequences.ts'
import { More, Star } from '../pieces/buttons.tsx'
import { Elapsed, Lands, PullRequestLink, RunName } from '../pieces/texts.tsx'

type SearchProps = { readonly search: BisectionTree; readonly state: PageState }

export function Search({ search, state }: SearchProps): VNode {
  const { members, proven, culprits, id, steps } = search
  const open = openMembers(search)
  const title = `bisection-${id}`
  return (
    <section class="search" aria-labelledby={title} data-bisection={id} data-steps={steps.length}>
      <h3 id={title}>Bisection of {listed(members, 12)}</h3>
      <p>
        Their batch failed. Parts of it are tested until it is clear who breaks the tests.{' '}
        <Found name="Proven" numbers={proven} />
        <Found name="Convicted" numbers={culprits} />
        <Found name="Open" numbers={open} />
      </p>
      <div class="search-body">
        <ul class="members">
          {members.map((number) => (
            <Suspect key={number} number={number} search={search} state={state} />
          ))}
        </ul>
        <ul class="tree">
          <Branch node={searchTree(search)} />
        </ul>
      </div>
    </section>
  )
}

function Found({ name, numbers }: { name: string; numbers: readonly number[] }): VNode | null {
  if (numbers.length === 0) return null
  return (
    <>
      {name}: {listed(numbers, 12)}.{' '}
    </>
  )
}

function Suspect({ number, search, state }: SearchProps & { number: number }): VNode {
  const queue = state.queue.id
  const row = state.rows.get(number)
  const look = lookIn(search, number, state)
  return (
    <li class="member">
      <StateWord look={look} />
      <PullRequestLink queue={queue} row={row ?? { number }} />
      <span class="member-end">
        {row && <Lands estimate={row.estimate} isShort />}
        <Star queue={queue} number={number} />
        {row && <More number={number} />}
      </span>
    </li>
  )
}

/** Members that have merged or were cancelled stay in the list until the bisection ends. */
function lookIn(search: BisectionTree, number: number, { rows, ended }: PageState): Look {
  if (search.culprits.includes(number)) return 'failed'
  const row = rows.get(number)
  const end = row ? undefined : ended.find((each) => each.number === number)
  if (end) return lookOf(end.state, false)
  return search.proven.includes(number) ? 'passed' : 'bisecting'
}

function Branch({ node }: { node: SearchNode }): VNode {
  const { tested, step, children } = node
  return (
    <li>
      <span
        class="step"
        data-tested={tested.join('+')}
        data-outcome={step ? (step.run.outcome ?? '') : 'failed'}
      >
        <StateWord look={step ? runLook(step.run) : 'failed'} />
        <b>{listed(tested, 12)}</b>
        {step ? (
          <span class="soft">
            {step.base.length > 0 && <>on top of {listed(step.base, 4)}, </>}
            <RunName id={step.run.id} url={step.run.url} />
            {step.run.outcome === null && (
              <>
                , <Elapsed since={step.run.startedAt} />
                {step.run.expectedMinutes !== null &&
                  ` of ~${Math.round(step.run.expectedMinutes)} min`}
              </>
            )}
          </span>
        ) : (
          <span class="soft">the batch</span>
        )}
      </span>
      {children.length > 0 && (
        <ul>
          {children.map((child, index) => (
            <Branch key={index} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}
