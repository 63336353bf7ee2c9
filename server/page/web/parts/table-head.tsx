/** The head of a table. Roles are given, because a table that is drawn as cards loses them in some browsers. */

import type { ComponentChildren, VNode } from 'preact'

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
