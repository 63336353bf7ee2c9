/** Where a pull request is, why, and when it lands: in two sentences. */

import type { VNode } from 'preact'
import type { PullRequestPage } from '../../../../server/page/answers.ts'
import type { MemberDetails } from '../../../../server/page/frame.ts'
import { lastingMinutes } from '../../parts/clock-words.ts'
import { estimateWords } from '../../parts/estimate-words.ts'
import { lookOf } from '../../parts/looks.ts'
import { StateWord } from '../../parts/mark.tsx'
import { safeUrl } from '../../parts/shown-text.ts'
import { question } from '../model/act.ts'
import { serverNow } from '../model/server-clock.ts'
import { maySubmit } from '../model/session.ts'
import { Star } from '../pieces/buttons.tsx'
import { At, Elapsed, Foreign } from '../pieces/texts.tsx'

type SummaryProps = { readonly page: PullRequestPage; readonly isBisected: boolean }

export function Summary({ page, isBisected }: SummaryProps): VNode {
  const { row, ended, queue } = page
  const { number, member } = row
  return (
    <div class="summary">
      <h1>
        <span class="number">#{number}</span> {member && <Foreign text={member.title} />}
      </h1>
      {member && <About member={member} host={queue.host} />}
      <p class="now" data-state={row.state}>
        <StateWord look={lookOf(row.state, isBisected)} />{' '}
        {ended ? (
          <>
            since <At instant={ended.at} />, after {lastingMinutes(ended.minutesInQueue)} in the
            queue
          </>
        ) : (
          <>
            for <Elapsed since={row.since} />, in the queue for <Elapsed since={row.submittedAt} />
          </>
        )}
      </p>
      <p class="why">
        <Foreign text={ended?.why ?? row.why} />
      </p>
      {!ended && <Forecast page={page} />}
      <p class="buttons is-left">
        <Star queue={queue.id} number={number} />
        {!ended && maySubmit.value && (
          <button
            type="button"
            onClick={() => (question.value = { about: 'pull request', number })}
          >
            Actions…
          </button>
        )}
      </p>
    </div>
  )
}

function About({ member, host }: { member: MemberDetails; host: string }): VNode {
  const { author, submittedBy, url } = member
  const address = safeUrl(url)
  return (
    <ul class="about soft">
      {author !== '' && (
        <li>
          by <Foreign text={author} />
        </li>
      )}
      {submittedBy !== null && (
        <li>
          submitted by <Foreign text={submittedBy} />
        </li>
      )}
      {address !== null && (
        <li>
          <a href={address} rel="noreferrer">
            on <Foreign text={host} />
          </a>
        </li>
      )}
    </ul>
  )
}

function Forecast({ page: { row } }: { page: PullRequestPage }): VNode | null {
  if (row.estimate === null) return null
  const { short, range, remark } = estimateWords(row.estimate, serverNow.value)
  if (range === null) return <p>When it lands is not known. {remark}</p>
  return (
    <p>
      It lands at about <b class="lands">{short.replace('~', '')}</b>, in 4 of 5 cases between{' '}
      {range.replace(' to ', ' and ')}. {remark !== null && <span class="warn">{remark}</span>}
    </p>
  )
}
