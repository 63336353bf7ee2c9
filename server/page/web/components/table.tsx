/** Tables. Roles are given, because a table that is drawn as cards loses them in some browsers. */

import type { ComponentChildren, HTMLAttributes, VNode } from 'preact'

export function TableHead({ titles }: { titles: readonly ComponentChildren[] }): VNode {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {titles.map((title, index) => (
          <th key={index} role="columnheader" scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type TableProps = HTMLAttributes<HTMLTableElement> & {
  readonly titles: readonly ComponentChildren[]
  /** The first cell of each names it. */
  readonly rows: readonly (readonly ComponentChildren[])[]
}

export function Table({ titles, rows, ...attributes }: TableProps): VNode {
  return (
    <table {...attributes} role="table">
      <TableHead titles={titles} />
      <tbody role="rowgroup">
        {rows.map(([name, ...cells], row) => (
          <tr key={row} role="row">
            <th scope="row" role="rowheader">
              {name}
            </th>
            {cells.map((cell, column) => (
              <td key={column} role="cell">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
