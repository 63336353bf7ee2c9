/** The tests that flake most, with their tickets. */

import type { VNode } from 'preact'
import type { FlakyTestRow } from '../../../../server/page/frame.ts'
import { safeUrl } from '../../parts/shown-text.ts'
import { Foreign } from '../pieces/texts.tsx'

export function FlakyTests({ tests }: { tests: readonly FlakyTestRow[] }): VNode {
  return (
    <section class="flaky" aria-labelledby="flaky-title">
      <h2 id="flaky-title">Flaky tests</h2>
      {tests.length === 0 ? (
        <p class="soft">None are known.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Test</th>
              <th scope="col">Flakes</th>
              <th scope="col">Ticket</th>
            </tr>
          </thead>
          <tbody>
            {tests.slice(0, 10).map((test) => (
              <FlakyTest key={`${test.file} ${test.name}`} test={test} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function FlakyTest({ test: { name, file, flakes, ticket } }: { test: FlakyTestRow }): VNode {
  const url = safeUrl(ticket)
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} />
        <span class="soft file">
          <Foreign text={file} />
        </span>
      </th>
      <td>{flakes}</td>
      <td>
        {ticket === null ? (
          <span class="soft">none</span>
        ) : url === null ? (
          <Foreign text={ticket} />
        ) : (
          <a href={url} rel="noreferrer">
            <Foreign text={ticket} />
          </a>
        )}
      </td>
    </tr>
  )
}
