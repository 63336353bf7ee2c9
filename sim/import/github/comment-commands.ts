/** Comments that submit a pull request to a merge queue, or take it out. */

const submits = [
  // bors-ng; bors and homu of Rust
  /^bors:? (?:r\+|r=\S+|merge\b|retry\b)/,
  /^@(?:\w+-)?(?:bors|homu)(?:-servo)?:? .*\b(?:r\+|r=\S+|retry)(?:\s|$)/,
  /^@mergify(?:io)? (?:queue|requeue)\b/i,
  /^\/trunk merge\b/,
  /^\/(?:aviator merge|av merge)\b/,
  // Mergeyard
  /^\/merge(?: (?:urgent|high|low|alone))*$/,
]

const cancels = [
  /^bors:? (?:r-|merge-|cancel\b)/,
  /^@(?:\w+-)?(?:bors|homu)(?:-servo)?:? .*\b(?:r-|cancel)(?:\s|$)/,
  /^@mergify(?:io)? (?:unqueue|dequeue)\b/i,
  /^\/trunk cancel\b/,
  /^\/cancel$/,
]

/** What the comment commands; a quoted command is none. */
export function commandIn(body: string): 'submit' | 'cancel' | null {
  for (const line of body.split('\n')) {
    const text = line.trimEnd()
    if (cancels.some((each) => each.test(text))) return 'cancel'
    if (submits.some((each) => each.test(text))) return 'submit'
  }
  return null
}
