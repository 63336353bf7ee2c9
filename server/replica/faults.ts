/** Why a server cannot answer from a shared log. */

/** The log is not the one that this server knew: a tail was lost, or an older copy was restored. */
export class LogDiffers extends Error {
  override readonly name = 'LogDiffers'
}

/** A newer engine has taken the log over. This server must not decide anything any more. */
export class NewerEngine extends Error {
  override readonly name = 'NewerEngine'

  constructor(theirs: number, ours: number) {
    super(
      `version ${theirs} of the engine has taken the log over, and this server has version ${ours}: ` +
        'start a newer version of Mergeyard here',
    )
  }
}
