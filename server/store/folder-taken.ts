/** Another server has taken over the data folder. This one acknowledges nothing more and stops. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken'

  constructor(folder: string, evidence: string) {
    super(
      `another server works on the data folder ${folder}: ${evidence}. This server stops. ` +
        'Everything it acknowledged is kept; what it had not acknowledged is ignored. ' +
        'Give each server a folder of its own',
    )
  }
}
