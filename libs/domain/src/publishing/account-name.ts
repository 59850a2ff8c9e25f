/** How people know an account: by its username, else by its id for publishing. Only the account of the environment may lack both. */
export const accountName = ({ username, userId }: { username: string | null; userId: string | null }): string =>
  username === null ? (userId ?? 'the account of the environment') : `@${username}`;
