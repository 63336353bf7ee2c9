/** The line as it is tested: the group that merges first at the start, and bisections below it. */

import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { QueueHead, Row } from '../../../../server/page/frame.ts'
import type { PageState } from '../state/fold.ts'
import { lanesOf, type Lane } from '../state/lanes.ts'
import { Foreign } from '../pieces/texts.tsx'
import { DependenceLines } from './dependence-lines.tsx'
import { Search } from './search.tsx'
import { GroupCard } from './group-card.tsx'

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
