/** The tests whose failure alone fails no run, and the flakes that could be put there. */

import type { VNode } from 'preact'
import type { Quarantine } from '../../frame.ts'
import { TableHead } from '../parts/table-head.tsx'
import { Foreign } from '../pieces/texts.tsx'

type QuarantinedTest = Quarantine['tests'][number]

export function QuarantineCard({
  quarantine: { tests, proposals, merges },
}: {
  quarantine: Quarantine
}): VNode | null {
  const inForce = tests.filter((test) => test.inForce)
  if (inForce.length + proposals.length + merges === 0) return null
  return (
    <section class="flaky" aria-labelledby="quarantine-title">
      <h2 id="quarantine-title">Quarantine</h2>
      <p class="soft">{merges} merged by a run in which only tests in quarantine failed.</p>
      {inForce.length > 0 && (
        <table class="sheet">
          <TableHead titles={['Test', 'Merged by it', 'Put there']} />
          <tbody>
            {inForce.map((test) => (
              <QuarantinedRow key={test.test} test={test} />
            ))}
          </tbody>
        </table>
      )}
      {proposals.length > 0 && (
        <>
          <p class="soft">Known flakes that could be put there:</p>
          <ul>
            {proposals.slice(0, 10).map(({ test, flakes, failures }) => (
              <li key={test}>
                <Foreign text={test} />, {flakes} of {failures} failures were flakes
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function QuarantinedRow({
  test: { test, merges, who, why, until },
}: {
  test: QuarantinedTest
}): VNode {
  return (
    <tr>
      <th scope="row">
        <Foreign text={test} />
      </th>
      <td>{merges}</td>
      <td>
        {who !== undefined && (
          <>
            by <Foreign text={who} />{' '}
          </>
        )}
        {until !== undefined && `until ${until.slice(0, 10)} `}
        {why !== undefined && <Foreign text={why} />}
      </td>
    </tr>
  )
}
