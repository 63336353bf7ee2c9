/** The tests whose failure alone fails no run, and the flakes that could be put there. */

import type { VNode } from 'preact'
import type { Quarantine } from '../../frame.ts'
import { Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { Foreign } from '../texts/texts.tsx'

type QuarantineCardProps = { readonly quarantine: Quarantine }

export function QuarantineCard({ quarantine }: QuarantineCardProps): VNode | null {
  const { tests, proposals, merges } = quarantine
  const inForce = tests.filter((test) => test.inForce)
  if (inForce.length + proposals.length + merges === 0) return null
  const rows = inForce.map(({ test, merges: ofTest, who, why, until }) => [
    <Foreign text={test} />,
    ofTest,
    <>
      {who !== undefined && (
        <>
          by <Foreign text={who} />{' '}
        </>
      )}
      {until !== undefined && `until ${until.slice(0, 10)} `}
      {why !== undefined && <Foreign text={why} />}
    </>,
  ])
  return (
    <Section title="Quarantine" class="flaky">
      <p class="soft">{merges} merged by a run in which only tests in quarantine failed.</p>
      {rows.length > 0 && (
        <Table class="sheet" titles={['Test', 'Merged by it', 'Put there']} rows={rows} />
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
    </Section>
  )
}
