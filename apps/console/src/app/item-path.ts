/** The screen about one post. */
export const itemPath = (id: string): string => `/admin/items/${id}`;
