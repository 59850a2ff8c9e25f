export async function migrate(databaseUrl: string): Promise<void> {
  void databaseUrl;
}
