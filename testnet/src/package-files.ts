import { fileURLToPath } from 'node:url';

/** Files of this package that are not code. src/ and dist/ are equally deep. */
const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The built pages. */
export const PAGES_FOLDER = fileOf('dist/web');
/** The description of the app's own routes. */
export const DESCRIPTION_FILE = fileOf('app-openapi.yaml');
