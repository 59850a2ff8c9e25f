import { z } from 'zod';
import { defineRoutes, get } from './route';

/** `expires` in seconds since 1970, `signature` made by the gateway; `file` counts the files of a gallery from 0. */
export const mediaQuerySchema = z.object({
  expires: z.coerce.number().int().min(0).optional(),
  /** The session that the address was made for: signing out ends both. */
  session: z.uuid().optional(),
  signature: z.string().max(200).optional(),
  file: z.coerce.number().int().min(0).max(99).default(0),
});
export type MediaQuery = z.infer<typeof mediaQuerySchema>;

const parts = { access: 'media', query: mediaQuerySchema } as const;

export const mediaRoutes = defineRoutes({
  video: { ...get('/api/media/video/:id', 'The processed file, or the original while there is none; with ranges'), ...parts },
  /** `id` of an item, a claim, or a permission (then the file is its proof). */
  compared: {
    ...get('/api/media/compared/:id', 'The file that a match compared, or its stored preview as PNG if the file is gone'),
    ...parts,
  },
  cover: { ...get('/api/media/cover/:id', 'The cover picture as JPEG'), ...parts },
  uploadedCover: { ...get('/api/media/uploaded-cover/:id', 'The cover that an administrator uploaded, as JPEG'), ...parts },
});
