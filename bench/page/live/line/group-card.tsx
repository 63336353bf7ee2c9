/** A group of the line: a frame with its members, its state and its run. */

import type { VNode } from 'preact'
import type { GroupRow, Row, RunRow } from '../../../../server/page/frame.ts'
import { lasting, lastingMinutes } from '../../parts/clock-words.ts'
import { groupLook } from '../../parts/looks.ts'
import { StateWord } from '../../parts/mark.tsx'
import { memo } from '../../parts/memo.ts'
import { serverNow } from '../model/server-clock.ts'
import { More, Star } from '../pieces/buttons.tsx'
import { Foreign, Lands, PullRequestLink, RunName } from '../pieces/texts.tsx'
import { listed } from '../state/consequences.ts'
import type { PlacedGroup } from '../state/lanes.ts'

type GroupCardProps = {
  readonly queue: string
  readonly placed: PlacedGroup
  readonly rows: ReadonlyMap<number, Row>
  /** In parallel mode, where the place does not say it. */
  readonly saysBelow: boolean
}

export function GroupCard({ queue, placed, rows, saysBelow }: GroupCardProps): VNode {
  const { group, depth, below } = placed
  const onTopOf = below.flatMap(({ members }) => members)
  const members = group.members.map((number) => rows.get(number) ?? number)
  return (
    <li
      class={`group is-${groupLook(group)}`}
      data-group={group.id}
      {...(saysBelow ? { style: { gridColumn: `${depth + 1}` } } : {})}
    >
      <p class="group-head">
        <StateWord look={groupLook(group)} />
        {group.members.length > 1 && <span>batch of {group.members.length}</span>}
        {group.urgent && <span class="flag">urgent</span>}
        <GroupLands group={group} rows={rows} />
      </p>
      <ul class="members">
        {members.map((row) =>
          typeof row === 'number' ? (
            <Member key={row} queue={queue} row={{ number: row }} />
          ) : (
            <Member key={row.number} queue={queue} row={row} />
          ),
        )}
      </ul>
      {group.run?.outcome === null && <RunBar run={group.run} />}
      <Reasons group={group} rows={rows} />
      {saysBelow && !isToldBelow(group) && onTopOf.length > 0 && (
        <p class="below soft">on top of {listed(onTopOf)}</p>
      )}
    </li>
  )
}

/** The reason of those that are tested, or have passed, names what is below. */
const isToldBelow = ({ phase }: GroupRow): boolean => phase === 'testing' || phase === 'passed'

type MemberProps = {
  readonly queue: string
  readonly row: Pick<Row, 'number' | 'member'>
}

const Member = memo(({ queue, row }: MemberProps) => (
  <li class="member">
    <PullRequestLink queue={queue} row={row} />
    <span class="member-end">
      <Star queue={queue} number={row.number} />
      <More number={row.number} />
    </span>
  </li>
))

/** Members of a group land together, so the estimate of the last one is that of the group. */
function GroupLands({ group, rows }: { group: GroupRow; rows: ReadonlyMap<number, Row> }): VNode {
  const estimates = group.members.flatMap((number) => rows.get(number)?.estimate ?? [])
  return (
    <span class="group-lands">
      <Lands estimate={estimates.at(-1) ?? null} isShort />
    </span>
  )
}

/** Why the group is where it is. Members mostly have the same reason, which is said once. */
function Reasons({ group, rows }: { group: GroupRow; rows: ReadonlyMap<number, Row> }): VNode {
  const reasons = new Set(group.members.flatMap((number) => rows.get(number)?.why ?? []))
  return (
    <>
      {[...reasons].slice(0, 3).map((reason) => (
        <p class="why" key={reason}>
          <Foreign text={reason} />
        </p>
      ))}
    </>
  )
}

// A run: how long it has lasted, beside how long such runs take.

const minute = 60_000

function RunBar({ run }: { run: RunRow }): VNode {
  const elapsed = Math.max(0, serverNow.value - Date.parse(run.startedAt))
  // Runs of less than a second are those of a test: nobody compares with them.
  const expected = (run.expectedMinutes ?? 0) * minute < 1000 ? null : run.expectedMinutes
  const share = expected === null ? null : elapsed / (expected * minute)
  const isLong = share !== null && share > 1
  return (
    <div class={`run${isLong ? ' is-long' : ''}`}>
      <span class="run-words">
        {lasting(elapsed)}
        {expected !== null && `${isLong ? ', usually' : ' of'} ~${lastingMinutes(expected)}`}
      </span>
      <span class="run-bar" aria-hidden="true">
        {share !== null && <span style={{ width: `${Math.min(100, 100 * share)}%` }} />}
      </span>
      <span class="run-id soft">
        <RunName id={run.id} url={run.url} />
      </span>
    </div>
  )
}
