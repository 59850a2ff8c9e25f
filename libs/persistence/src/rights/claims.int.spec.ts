import { claimTarget, type ClaimTarget } from '@autoposter/domain';
import { anItem, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { ClaimRepository } from './claims.repository';
import { NoticeRepository } from './notices.repository';

describe('items that a claim names', () => {
  let fresh: FreshDatabase;
  useFreshDatabases('embedded', (one) => void (fresh = one));

  const grow = (count: number) =>
    fresh.database.sql.query(
      `INSERT INTO content_items SELECT made.* FROM generate_series(1, $1::int) n, (SELECT c AS template FROM content_items c ORDER BY id LIMIT 1) i,
         LATERAL jsonb_populate_record(i.template, jsonb_build_object('id', gen_random_uuid(), 'source_id', 'grown' || n || '-' || $1, 'source_key', NULL,
           'source_post', jsonb_build_object('platform', 'reddit', 'sourceId', 'grown' || n, 'permalink', 'https://www.reddit.com/r/aww/comments/grown' || n || '/a/',
             'media', jsonb_build_array(jsonb_build_object('url', 'https://files.example/long/' || n || '.jpg?s=' || repeat(md5(n::text), 10)))))) AS made`,
      [count],
    );
  const targets = (...addresses: string[]): ClaimTarget[] => addresses.flatMap((address) => claimTarget('url', address) ?? []);

  it('are found on every page of the table, by short addresses as well, without reading others', async () => {
    const { database } = fresh;
    await database.unitOfWork((uow) => anItem(uow));
    await grow(40);
    const file = 'https://files.example/a?width=1';
    const media = [{ url: file }] as never;
    const [short, post, origin] = await database.unitOfWork(async (uow) => {
      const source = { platform: 'reddit', permalink: 'https://www.reddit.com/r/aww/comments/xy/', author: 'a', subreddit: 'aww' } as const;
      const made = [
        await anItem(uow, { sourceId: 's1', sourcePost: { ...source, sourceId: 's1', media } as never }),
        await anItem(uow, { sourceId: 'b', sourcePost: { ...source, sourceId: 'b', media: [] } as never }),
        await anItem(uow, { sourceId: 's3', sourcePost: { ...source, sourceId: 's3', originId: 'c9', media: [] } as never }),
      ];
      return made.map(({ id }) => id);
    });
    const run = jest.spyOn(ClaimRepository.prototype as unknown as { run: (...given: unknown[]) => Promise<{ rows: unknown[] }> }, 'run');
    const named = await database.read.claims.itemsNamed(
      [
        ...targets('https://files.example/a', 'https://x.example/e/'),
        ...['reddit:b', 'reddit:c9'].map((key): ClaimTarget => ({ kind: 'url', key })),
      ],
      [],
      7,
    );
    const read = await Promise.all(run.mock.results.map(async ({ value }) => (await (value as Promise<{ rows: unknown[] }>)).rows.length));
    run.mockRestore();
    expect(named.map(({ itemId }) => itemId).sort()).toEqual([short, post, origin].sort());
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(20);
  });

  it('are found by every form of the addresses, by author and by subreddit, also after their source was read', async () => {
    const { database } = fresh;
    const early = {
      sourceId: 'abc12x',
      originalUrl: 'https://www.reddit.com/comments/abc12x',
      author: null,
      subreddit: 'Aww',
      sourcePost: null,
    };
    const item = await database.unitOfWork((uow) => anItem(uow, early));
    const found = async (...given: ClaimTarget[]) => (await database.read.claims.itemsNamed(given)).map(({ itemId }) => itemId);
    expect(await found(...targets('https://old.reddit.com/r/aww/comments/ABC12X/?share_id=x'))).toEqual([item.id]);
    const url = 'https://preview.redd.it/a-title-before-abcdef1.jpg?width=640&s=1';
    const media = [{ url, audioUrl: 'http://M.Files.example/x/?sig=1', manifestUrl: 'https://v.redd.it/qwe123456/HLSPlaylist.m3u8?a=1' }];
    const permalink = 'https://www.reddit.com/r/Aww/comments/abc12x/a_title/';
    const read = { platform: 'reddit', sourceId: 'abc12x', permalink, author: 'Ann_B', subreddit: 'Aww', originId: 'zz9', sharedBy: 'Ben' };
    await database.sql.query('UPDATE content_items SET source_post = $2 WHERE id = $1', [item.id, JSON.stringify({ ...read, media })]);
    const addresses = [
      ...['https://redd.it/abc12x', 'https://old.reddit.com/comments/ABC12X.json', 'https://www.reddit.com/r/other/comments/zz9/'],
      ...['https://i.redd.it/abcdef1.jpg', 'https://v.redd.it/qwe123456', 'https://files.example/x', 'https://www.files.example/x/?ref=1'],
    ];
    for (const address of addresses) expect([address, await found(...targets(address))]).toEqual([address, [item.id]]);
    for (const [kind, name] of [
      ['author', 'u/ann_b'],
      ['author', 'ben'],
      ['subreddit', 'r/AWW'],
    ] as const) {
      const target = claimTarget(kind, name);
      expect([name, target && (await found(target))]).toEqual([name, [item.id]]);
    }
    const others = [...targets('https://files.example/y', 'https://redd.it/abc12y'), { kind: 'author', key: 'instagram:ann_b' } as const];
    expect(await found(...others)).toEqual([]);
  });

  it('are found by an index', async () => {
    const { database } = fresh;
    await database.unitOfWork((uow) => anItem(uow));
    await grow(2000);
    await database.sql.query('ANALYZE item_terms');
    const plan = await database.sql.query('EXPLAIN SELECT item_id FROM item_terms WHERE terms && $1::text[] ORDER BY item_id', [
      ['grown7'],
    ]);
    expect(JSON.stringify(plan)).toContain('item_terms_by_term');
  });
});

describe('posts that were published at an address', () => {
  let fresh: FreshDatabase;
  useFreshDatabases('embedded', (one) => void (fresh = one));

  const publish = (count: number) =>
    fresh.database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, permalink, media_id)
       SELECT gen_random_uuid(), md5(n::text)::uuid, gen_random_uuid(), '1', 'published', 'x', 'x', 'x', 'https://www.instagram.com/reel/Code' || n || '/', n::text
       FROM generate_series(1, $1::int) n`,
      [count],
    );

  it('are found in every form of the address, by an index', async () => {
    const { database } = fresh;
    await publish(2000);
    await database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, permalink, media_id)
       VALUES (gen_random_uuid(), md5('0')::uuid, gen_random_uuid(), '1', 'published', 'x', 'x', 'x', 'https://www.instagram.com/stories/our.account/12345/', '0')`,
    );
    await database.sql.query('ANALYZE publish_attempts');
    const run = jest.spyOn(NoticeRepository.prototype as unknown as { run: (...given: unknown[]) => Promise<unknown> }, 'run');
    const found = await database.read.notices.publishedAt([
      ...[
        'http://instagram.com/reel/Code7',
        'https://www.instagram.com/reels/Code8/?igsh=abc',
        'https://m.instagram.com/p/Code9/#comments',
      ],
      ...['instagram.com/our.account/reel/Code10/', 'https://www.instagram.com/stories/our.account/12345'],
      // of other posts: codes are case-sensitive, and other sites have addresses of the same form
      ...['https://www.instagram.com/reel/code11/', 'https://elsewhere.example/reel/Code12/'],
    ]);
    const [sql, values] = run.mock.calls.at(-1) as [string, unknown[]];
    run.mockRestore();
    const rows = await database.sql.query('SELECT md5(n::text)::uuid AS id FROM unnest(ARRAY[0,7,8,9,10]) n');
    expect(found.sort()).toEqual((rows as { id: string }[]).map(({ id }) => id).sort());
    const plan = await database.sql.query(`EXPLAIN ${sql}`, values);
    expect(JSON.stringify(plan)).toContain('publish_attempts_by_address');
    expect(JSON.stringify(plan)).toContain('publish_attempts_by_code');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  });
});
