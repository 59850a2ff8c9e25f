import { z } from 'zod';
import { idParamsSchema } from './envelope.api';
import { defineRoutes } from './route';

/** `expires` in seconds since 1970, `signature` made by the gateway; `file` counts the files of a gallery from 0. */
export const mediaQuerySchema = z.object({
  expires: z.coerce.number().int().min(0).optional(),
  /** The session that the address was made for: signing out ends both. */
  session: z.uuid().optional(),
  signature: z.string().max(200).optional(),
  file: z.coerce.number().int().min(0).max(99).default(0),
});
export type MediaQuery = z.infer<typeof mediaQuerySchema>;

export const mediaRoutes = defineRoutes({
  video: {
    method: 'GET',
    path: '/api/media/video/:id',
    access: 'media',
    summary: 'The processed file, or the original while there is none; with ranges',
    params: idParamsSchema,
    query: mediaQuerySchema,
  },
  cover: {
    method: 'GET',
    path: '/api/media/cover/:id',
    access: 'media',
    summary: 'The cover picture as JPEG',
    params: idParamsSchema,
    query: mediaQuerySchema,
  },
});
