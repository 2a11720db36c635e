/** Joined results and their index. */
export interface JoinedResults {
  readonly joinedPath: string;
  readonly indexPath: string;
}
