/** The line as it is tested: the group that merges first at the start, and bisections below it. */

import { useSignal } from '@preact/signals'
import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { BisectionTree, GroupRow, QueueHead, Row, RunRow } from '../../frame.ts'
import { lastingMinutes } from '../components/time-words.ts'
import { type Look, groupLook, lookOf, runLook, StateWord } from '../components/mark.tsx'
import { memo } from '../components/memo.ts'
import { Section } from '../components/section.tsx'
import { serverNow } from '../model/watched-queue.ts'
import { More, Star, Elapsed, Foreign, Lands, PullRequestLink, RunName } from '../texts/texts.tsx'
import {
  type SearchNode,
  hasLeft,
  inQueue,
  openMembers,
  searchTree,
  runsOfBisections,
  type PageState,
} from '../state/fold.ts'
import { listed, type Lane, type PlacedGroup, lanesOf, targetsOf } from '../state/consequences.ts'

export function TheLine({ state }: { state: PageState }): VNode {
  const { line, queue } = state
  const isParallel = queue.mode === 'parallel'
  const lanes = lanesOf(line.groups, queue.mode)
  return (
    <Section title="The line" class="line">
      <p class="soft lead">{leadOf(queue, lanes.length, runsOfBisections(state))}</p>
      <div class={isParallel ? 'lanes' : ''}>
        {lanes.map((lane, index) => (
          <LaneList
            key={lane[0]?.group.id ?? index}
            lane={lane}
            name={isParallel ? `Lane ${index + 1}` : null}
            state={state}
          />
        ))}
      </div>
      {line.bisections.map((search) => (
        <Search key={search.id} search={search} state={state} />
      ))}
    </Section>
  )
}

function leadOf({ mode }: QueueHead, lanes: number, searching: number): string {
  if (lanes === 0)
    return searching === 0 ? 'Nothing is being tested.' : 'Only bisections are tested.'
  if (mode === 'single') {
    return 'The first group merges first. Each group is tested on top of those before it.'
  }
  if (lanes === 1) return 'All groups are connected by shared targets, so there is one lane.'
  return `${lanes} lanes: groups of different lanes do not wait for each other.`
}

type LaneProps = {
  readonly lane: Lane
  /** Null if it is the only one. */
  readonly name: string | null
  readonly state: PageState
}

function LaneList({ lane, name, state }: LaneProps): VNode {
  const list = useRef<HTMLOListElement>(null)
  const targets = targetsOf(lane)
  return (
    <div class="lane">
      {name !== null && (
        <h3>
          {targets === '' ? name : `${name}: `}
          <Foreign text={targets} />
        </h3>
      )}
      <div class="track">
        {name === null && (
          <p class="tip">
            <Foreign text={state.queue.targetBranch} />
          </p>
        )}
        <ol
          class={name === null ? 'groups' : 'groups is-lane'}
          ref={list}
          {...(name === null ? {} : { 'aria-label': name })}
        >
          {lane.map((placed) => (
            <GroupCard key={placed.group.id} placed={placed} state={state} />
          ))}
        </ol>
        {name !== null && <DependenceLines lane={lane} list={list} />}
      </div>
    </div>
  )
}

// Lines between groups of a lane: from each group to those that are tested on top of it. They are drawn
// where the groups have come to lie; the same is said in each group, so a reader needs no line.

type DependenceLinesProps = {
  readonly lane: Lane
  readonly list: RefObject<HTMLOListElement | null>
}

function DependenceLines({ lane, list }: DependenceLinesProps): VNode {
  const path = useSignal('')
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const draw = (): void => {
      path.value = linesIn(element, lane)
    }
    draw()
    const observer = new ResizeObserver(draw)
    observer.observe(element)
    return () => observer.disconnect()
  }, [lane])
  return (
    <svg class="dependences" aria-hidden="true">
      <path d={path.value} />
    </svg>
  )
}

/** The height of a line above the lower end of the head of a group. */
const drop = 18

function linesIn(list: HTMLElement, lane: Lane): string {
  const places = new Map(
    [...list.children].flatMap((child) =>
      child instanceof HTMLElement ? [[Number(child.dataset['group']), child] as const] : [],
    ),
  )
  return lane
    .flatMap(({ group, below }) =>
      below.map(({ id }) => lineBetween(places.get(id), places.get(group.id))),
    )
    .join('')
}

/** From the right edge of the one to the left edge of the other. */
function lineBetween(below: HTMLElement | undefined, above: HTMLElement | undefined): string {
  if (!below || !above) return ''
  const from = { x: below.offsetLeft + below.offsetWidth, y: below.offsetTop + drop }
  const to = { x: above.offsetLeft, y: above.offsetTop + drop }
  if (to.x < from.x) return ''
  const middle = to.x - 7
  return `M${from.x} ${from.y}H${middle}V${to.y}H${to.x}`
}

// A group of the line: a frame with its members, its state and its run.

type MemberRow = Pick<Row, 'number'> & Partial<Row>
type GroupCardProps = { readonly placed: PlacedGroup; readonly state: PageState }

function GroupCard({ placed: { group, depth, below }, state }: GroupCardProps): VNode {
  const { rows, queue } = state
  // There the place does not say what is below.
  const isInLane = queue.mode === 'parallel'
  const look = groupLook(group)
  const members = group.members.map((number): MemberRow => rows.get(number) ?? { number })
  // Members of a group land together, so the estimate of the last one is that of the group.
  const estimate = members.flatMap((each) => each.estimate ?? []).at(-1) ?? null
  // Members mostly have the same reason, which is said once.
  const reasons = new Set(members.flatMap(({ why }) => why ?? []))
  const onTopOf = isInLane && !isShownBelow(group) ? below.flatMap((each) => each.members) : []
  return (
    <li
      class={`group is-${look}`}
      data-group={group.id}
      {...(isInLane ? { style: { gridColumn: `${depth + 1}` } } : {})}
    >
      <p class="group-head row">
        <StateWord look={look} />
        {group.members.length > 1 && <span>batch of {group.members.length}</span>}
        {group.urgent && <span class="flag">urgent</span>}
        <span class="group-lands">
          <Lands estimate={estimate} isShort />
        </span>
      </p>
      <ul class="members">
        {members.map((row) => (
          <Member key={row.number} row={row} />
        ))}
      </ul>
      {group.run?.outcome === null && <RunBar run={group.run} />}
      {[...reasons].slice(0, 3).map((reason) => (
        <p class="why" key={reason}>
          <Foreign text={reason} />
        </p>
      ))}
      {/* The page of each draws the whole stack. */}
      {members
        .filter(({ dependsOn }) => dependsOn)
        .slice(0, 3)
        .map(({ number, dependsOn = [] }) => (
          <p class="below small soft" key={number}>
            #{number} depends on {listed(dependsOn, 4)}
          </p>
        ))}
      {onTopOf.length > 0 && <p class="below small soft">on top of {listed(onTopOf)}</p>}
    </li>
  )
}

/** The reason of those that are tested, or have passed, names what is below. */
const isShownBelow = ({ phase }: GroupRow): boolean => phase === 'testing' || phase === 'passed'

const Member = memo(({ row }: { readonly row: MemberRow }) => (
  <li class="member">
    <PullRequestLink row={row} />
    <span class="member-end">
      <Star number={row.number} />
      <More number={row.number} />
    </span>
  </li>
))

// A run: how long it has lasted, beside how long such runs take.

const minute = 60_000

/** So many times the usual length: the time limit that a queue learns is three times. */
const overdueAfter = 2

function RunBar({ run }: { run: RunRow }): VNode {
  const { share, isLong } = lengthOf(run)
  return (
    <div class={`run row small${isLong ? ' is-long' : ''}`}>
      <RunTime run={run} />
      <span class="run-bar" aria-hidden="true">
        {share !== null && <span style={{ width: `${Math.min(100, 100 * share)}%` }} />}
      </span>
      <span class="run-id soft cut">
        <RunName id={run.id} />
      </span>
    </div>
  )
}

/** How long it has lasted, beside how long half of the runs take; marked if it is far beyond that. */
function RunTime({ run }: { run: RunRow }): VNode {
  const { share, expected, isLong } = lengthOf(run)
  return (
    <span class="run-words">
      <Elapsed since={run.startedAt} />
      {expected !== null && `${isLong ? ', usually' : ' of'} ~${lastingMinutes(expected)}`}
      {share !== null && share > overdueAfter && <span class="flag">overdue</span>}
    </span>
  )
}

function lengthOf(run: RunRow) {
  const elapsed = Math.max(0, serverNow.value - Date.parse(run.startedAt))
  // Runs of less than a second are those of a test: nobody compares with them.
  const expected = (run.expectedMinutes ?? 0) * minute < 1000 ? null : run.expectedMinutes
  const share = expected === null ? null : elapsed / (expected * minute)
  return { share, expected, isLong: share !== null && share > 1 }
}

// A bisection: the search for the culprits of a failed batch, which grows by a step at a time.

type SearchProps = { readonly search: BisectionTree; readonly state: PageState }

function Search({ search, state }: SearchProps): VNode {
  const { members, proven, culprits, id, steps } = search
  const open = openMembers(search)
  const title = `bisection-${id}`
  return (
    <section class="search" aria-labelledby={title} data-bisection={id} data-steps={steps.length}>
      <h3 id={title}>Bisection of {listed(members, 12)}</h3>
      <p>
        {members.length === 1
          ? 'Its run failed. It is tested again until it is clear whether it breaks the tests.'
          : 'Their batch failed. Parts of it are tested until it is clear who breaks the tests.'}{' '}
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
  const row = inQueue(state, number)
  const look = lookIn(search, number, state)
  return (
    <li class="member">
      <StateWord look={look} />
      <PullRequestLink row={state.rows.get(number) ?? { number }} />
      <span class="member-end">
        {row && <Lands estimate={row.estimate} isShort />}
        <Star number={number} />
        {row && <More number={number} />}
      </span>
    </li>
  )
}

/** Members that have merged or were cancelled stay in the list until the bisection ends. */
function lookIn(search: BisectionTree, number: number, { rows }: PageState): Look {
  if (search.culprits.includes(number)) return 'failed'
  const row = rows.get(number)
  if (row && hasLeft(row)) return lookOf(row)
  return search.proven.includes(number) ? 'passed' : 'bisecting'
}

function Branch({ node }: { node: SearchNode }): VNode {
  const { tested, step, children } = node
  return (
    <li>
      <span
        class="step row"
        data-tested={tested.join('+')}
        data-outcome={step ? (step.run.outcome ?? '') : 'failed'}
      >
        <StateWord look={step ? runLook(step.run) : 'failed'} />
        <b>{listed(tested, 12)}</b>
        {step ? (
          <span class="soft">
            {step.base.length > 0 && <>on top of {listed(step.base, 4)}, </>}
            <RunName id={step.run.id} />
            {step.run.outcome === null && (
              <>
                , <RunTime run={step.run} />
              </>
            )}
          </span>
        ) : (
          <span class="soft">{tested.length === 1 ? 'its first run' : 'the batch'}</span>
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
