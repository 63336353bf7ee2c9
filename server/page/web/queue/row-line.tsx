/** A pull request as a row of a table: place, state, why, when it lands, buttons. */

import type { VNode } from 'preact'
import type { Row } from '../../frame.ts'
import { lookOf } from '../parts/looks.ts'
import { StateWord } from '../parts/mark.tsx'
import { memo } from '../parts/memo.ts'
import { TableHead } from '../parts/table-head.tsx'
import { More, Star } from '../pieces/buttons.tsx'
import { Elapsed, Foreign, Lands, PullRequestLink, StackFlags } from '../pieces/texts.tsx'

type RowLineProps = {
  readonly queue: string
  readonly row: Row
  /** "3rd", or an empty text for one that has no place. */
  readonly place: string
  readonly isBisected: boolean
  /** True if it has left since the table is held still. */
  readonly hasLeft?: boolean
}

export function Rows({ name, children }: { name: string; children: VNode[] }): VNode {
  return (
    <table class="rows sheet" role="table" aria-label={name}>
      <TableHead
        titles={[
          ...['Place', 'Pull request', 'State', 'Why', 'Lands'],
          <span class="unseen">Actions</span>,
        ]}
      />
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

export const RowLine = memo(({ queue, row, place, isBisected, hasLeft }: RowLineProps) => (
  <tr role="row" class={hasLeft === true ? 'has-left' : ''} data-number={row.number}>
    <td role="cell" class="cell-place soft">
      {place}
    </td>
    <td role="cell" class="cell-name">
      <PullRequestLink queue={queue} row={row} />
      {row.member && (
        <span class="by small soft">
          {row.member.author !== '' && <Foreign text={row.member.author} />}
          {row.member.noBatch && <span class="flag is-quiet">alone</span>}
        </span>
      )}
      {row.urgent && <span class="flag">urgent</span>}
      <StackFlags row={row} />
    </td>
    <td role="cell" class="cell-state">
      {hasLeft === true ? 'has left' : <StateWord look={lookOf(row.state, isBisected)} />}{' '}
      <span class="soft">
        <Elapsed since={row.since} />
      </span>
    </td>
    <td role="cell" class="cell-why">
      <Foreign text={row.why} />
    </td>
    <td role="cell" class="cell-lands">
      <Lands estimate={row.estimate} />
    </td>
    <td role="cell" class="cell-buttons">
      <Star queue={queue} number={row.number} />
      {hasLeft !== true && <More number={row.number} />}
    </td>
  </tr>
))
