import type { PassContext } from '../lineFile';
import type { ConversionReport, ConvertSource } from './convertingJobs';

export async function convertFile(_: ConvertSource, _context: PassContext): Promise<ConversionReport> {
  throw new Error('This is being built.');
}
