/** The job is somebody else's: whatever this run still has to say is dropped. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}
