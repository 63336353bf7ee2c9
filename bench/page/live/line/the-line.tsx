/** The line as it is tested: the group that merges first at the start, and bisections below it. */

import { useSignal } from '@preact/signals'
import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { QueueHead, Row } from '../../../../server/page/frame.ts'
import { Foreign } from '../pieces/texts.tsx'
import type { PageState } from '../state/fold.ts'
import { type Lane, lanesOf } from '../state/lanes.ts'
import { GroupCard } from './group-card.tsx'
import { Search } from './search.tsx'

export function TheLine({ state }: { state: PageState }): VNode {
  const { line, queue, rows } = state
  const lanes = lanesOf(line.groups, queue.mode)
  return (
    <section class="line" aria-labelledby="line-title">
      <h2 id="line-title">The line</h2>
      <p class="soft lead">{leadOf(queue, lanes.length)}</p>
      <div class={queue.mode === 'parallel' ? 'lanes' : ''}>
        {lanes.map((lane, index) => (
          <LaneList
            key={lane.groups[0]?.group.id ?? index}
            lane={lane}
            name={queue.mode === 'parallel' ? `Lane ${index + 1}` : null}
            branch={queue.targetBranch}
            queue={queue.id}
            rows={rows}
          />
        ))}
      </div>
      {line.bisections.map((search) => (
        <Search key={search.id} search={search} state={state} />
      ))}
    </section>
  )
}

function leadOf({ mode }: QueueHead, lanes: number): string {
  if (lanes === 0) return 'Nothing is being tested.'
  if (mode === 'single') {
    return 'The first group merges first. Each group is tested on top of those before it.'
  }
  if (lanes === 1) return 'All groups are connected by shared targets, so there is one lane.'
  return `${lanes} lanes: groups of different lanes do not wait for each other.`
}

type LaneProps = {
  readonly lane: Lane
  readonly name: string | null
  readonly branch: string
  readonly queue: string
  readonly rows: ReadonlyMap<number, Row>
}

function LaneList({ lane, name, branch, queue, rows }: LaneProps): VNode {
  const list = useRef<HTMLOListElement>(null)
  return (
    <div class="lane">
      {name !== null && <h3>{name}</h3>}
      <div class="track">
        {name === null && (
          <p class="tip">
            <Foreign text={branch} />
          </p>
        )}
        <ol
          class={name === null ? 'groups' : 'groups is-lane'}
          ref={list}
          {...(name === null ? {} : { 'aria-label': name })}
        >
          {lane.groups.map((placed) => (
            <GroupCard
              key={placed.group.id}
              queue={queue}
              placed={placed}
              rows={rows}
              saysBelow={name !== null}
            />
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
  return lane.groups
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
