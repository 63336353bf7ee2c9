/** A bisection: the search for the culprits of a failed batch, which grows by a step at a time. */

import type { VNode } from 'preact'
import type { BisectionTree, Row } from '../../../../server/page/frame.ts'
import { runLook } from '../../parts/looks.ts'
import { StateWord } from '../../parts/mark.tsx'
import { openMembers, searchTree, type SearchNode } from '../state/bisection-tree.ts'
import { listed } from '../state/consequences.ts'
import { More, Star } from '../pieces/buttons.tsx'
import { Elapsed, Lands, PullRequestLink, RunName } from '../pieces/texts.tsx'

type SearchProps = {
  readonly search: BisectionTree
  readonly queue: string
  readonly rows: ReadonlyMap<number, Row>
}

export function Search({ search, queue, rows }: SearchProps): VNode {
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
            <Suspect
              key={number}
              number={number}
              search={search}
              queue={queue}
              row={rows.get(number)}
            />
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

type SuspectProps = Omit<SearchProps, 'rows'> & {
  readonly number: number
  readonly row: Row | undefined
}

function Suspect({ number, search, queue, row }: SuspectProps): VNode {
  const look = search.culprits.includes(number)
    ? 'failed'
    : search.proven.includes(number)
      ? 'passed'
      : 'bisecting'
  return (
    <li class="member">
      <StateWord look={look} />
      <PullRequestLink queue={queue} row={row ?? { number }} />
      <span class="member-end">
        {look !== 'failed' && <Lands estimate={row?.estimate ?? null} isShort />}
        <Star queue={queue} number={number} />
        {row && <More number={number} />}
      </span>
    </li>
  )
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
