/** What the reader must know: about links, files and failures. */

import type { VNode } from 'preact'
import type { PageAddress } from '../state/address.ts'
import type { Playground } from '../state/playground.ts'

/** More faults of a file help nobody. */
const mostLines = 5

/** A line may list every key that there is. */
const mostLetters = 200

const shortened = (line: string): string =>
  line.length > mostLetters ? `${line.slice(0, mostLetters)}…` : line

type Props = { readonly playground: Playground; readonly address: PageAddress }

export function Notices({ playground, address }: Props): VNode {
  const failure = playground.results.failure.value
  const notice = address.notice.value
  return (
    <div class="notices" role="status">
      {failure !== null && (
        <div class="notice is-fault">
          <b>The simulation stopped.</b> <span>{shortened(failure)}</span>
        </div>
      )}
      {notice && (
        <div class={notice.isFault ? 'notice is-fault' : 'notice'}>
          {notice.isFault && <b>This scenario cannot be used.</b>}
          <ul>
            {notice.lines.slice(0, mostLines).map((line) => (
              <li key={line} dir="auto">
                {shortened(line)}
              </li>
            ))}
            {notice.lines.length > mostLines && (
              <li>and {notice.lines.length - mostLines} more faults</li>
            )}
          </ul>
          <button
            type="button"
            onClick={() => {
              address.notice.value = null
            }}
          >
            Dismiss
          </button>
        </div>
      )}
    </div>
  )
}
