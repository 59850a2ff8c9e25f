import type { InstagramParts } from './instagram-parts';
import { mediaFields } from './media-json';

/** What has gone out, for tests and for the demo to look at. */
export interface PublishLedger {
  account: { id: string; username: string };
  /** Calls of `media_publish`, refused ones included. */
  publishCalls: number;
  containersMade: number;
  published: LedgerEntry[];
}

export interface LedgerEntry {
  mediaId: string;
  containerId: string;
  accountId: string;
  caption: string | null;
  mediaType: string;
  mediaProductType: string;
  permalink: string;
  publishedAt: string;
  /** Of the first file. */
  sha256: string | null;
  bytes: number | null;
  files: { sha256: string; bytes: number; contentType: string }[];
}

export function ledgerOf(parts: InstagramParts): PublishLedger {
  const { account, state } = parts;
  return {
    account: { id: account.id, username: account.username },
    publishCalls: state.publishCalls,
    containersMade: state.containers.size,
    published: state.published.map((item) => {
      const fields = mediaFields(parts, item);
      return {
        mediaId: item.id,
        containerId: item.containerId,
        accountId: item.accountId,
        caption: item.caption,
        mediaType: String(fields.media_type),
        mediaProductType: String(fields.media_product_type),
        permalink: String(fields.permalink),
        publishedAt: new Date(item.publishedAt).toISOString(),
        sha256: item.files[0]?.sha256 ?? null,
        bytes: item.files[0]?.bytes ?? null,
        files: item.files.map(({ sha256, bytes, contentType }) => ({ sha256, bytes, contentType })),
      };
    }),
  };
}
