import path from 'node:path';
import type * as vscode from 'vscode';

type UriParts = Readonly<Record<'scheme' | 'authority' | 'path' | 'query' | 'fragment', string>>;

export class Uri implements vscode.Uri {
  readonly scheme: string;
  readonly path: string;

  private constructor(
    scheme: string,
    readonly authority: string,
    path: string,
    readonly query: string,
    readonly fragment: string,
    isStrict = false,
  ) {
    this.scheme = scheme === '' && !isStrict ? 'file' : scheme;
    this.path = /^(?:https?|file)$/.test(this.scheme) && !path.startsWith('/') ? `/${path}` : path;
    if (!/^\w[\w+.-]*$/.test(this.scheme)) {
      throw new Error(`[UriError]: The scheme "${this.scheme}" is missing or not allowed`);
    }
    if (authority === '' ? this.path.startsWith('//') : /^[^/]/.test(this.path)) {
      throw new Error(`[UriError]: The path "${this.path}" does not fit the authority "${authority}"`);
    }
  }

  static parse(value: string, isStrict?: boolean): Uri {
    const found = /^(?:([^:/?#]+?):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?/.exec(value) ?? [];
    const [, scheme = '', ...rest] = found;
    const [authority = '', path = '', query = '', fragment = ''] = rest.map(part => part && decode(part));
    return new Uri(scheme, authority, path, query, fragment, isStrict);
  }

  static file(file: string): Uri {
    const slashed = path.sep === '\\' ? file.replaceAll('\\', '/') : file;
    const [share = '', authority = ''] = /^\/\/([^/]*)/.exec(slashed) ?? [];
    return Uri.from({ scheme: 'file', authority, path: slashed.slice(share.length) });
  }

  static joinPath(base: Uri, ...segments: string[]): Uri {
    if (base.path === '') {
      throw new Error('[UriError]: joinPath needs a URI with a path');
    }
    const joined =
      path.sep === '\\' && base.scheme === 'file'
        ? Uri.file(path.join(base.fsPath, ...segments)).path
        : path.posix.join(base.path, ...segments);
    return base.with({ path: joined });
  }

  static from({ scheme, authority = '', path = '', query = '', fragment = '' }: Partial<UriParts> & { readonly scheme: string }): Uri {
    return new Uri(scheme, authority, path, query, fragment);
  }

  get fsPath(): string {
    const { scheme, authority, path: own } = this;
    const isShare = authority !== '' && own.length > 1 && scheme === 'file';
    const found = isShare ? `//${authority}${own}` : own.replace(/^\/([A-Za-z]):/, (_, letter: string) => `${letter.toLowerCase()}:`);
    return found.replaceAll('/', path.sep);
  }

  with(change: Partial<UriParts>): Uri {
    const changed = Object.entries(change).filter(([name, part]) => part !== undefined && this[name as keyof UriParts] !== (part ?? ''));
    return changed.length === 0
      ? this
      : Uri.from({ ...this.parts, ...Object.fromEntries(changed.map(([name, part]) => [name, part ?? ''])) });
  }

  toString(skipEncoding = false): string {
    const { scheme, authority, query, fragment } = this;
    const encode = skipEncoding ? encodeMinimally : encodeFully;
    const path = this.path.replace(/^\/?[A-Z]:/, drive => drive.toLowerCase());
    return [
      `${scheme}:`,
      authority !== '' || scheme === 'file' ? '//' : '',
      authority === '' ? '' : encodeAuthority(authority, encode),
      encode(path, '/'),
      query === '' ? '' : `?${encode(query, '')}`,
      fragment === '' ? '' : `#${skipEncoding ? fragment : encode(fragment, '')}`,
    ].join('');
  }

  toJSON(): object {
    return { $mid: 1, ...Object.fromEntries(Object.entries(this.parts).filter(([, part]) => part !== '')) };
  }

  private get parts(): UriParts {
    const { scheme, authority, path, query, fragment } = this;
    return { scheme, authority, path, query, fragment };
  }
}

/** Decodes a text. Invalid escape sequences stay as they are. */
function decode(text: string): string {
  const decodeRun = (run: string): string => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.length > 3 ? run.slice(0, 3) + decodeRun(run.slice(3)) : run;
    }
  };
  return text.replace(/(?:%[0-9A-Za-z]{2})+/g, decodeRun);
}

/** Encodes all characters except unreserved characters and the characters of `kept`. */
function encodeFully(text: string, kept: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return [...kept].reduce(
    (encoded, character) => encoded.replaceAll(hex(character), character),
    encodeURIComponent(text).replace(/[!'()*]/g, hex),
  );
}

function encodeMinimally(text: string): string {
  return text.replaceAll('#', '%23').replaceAll('?', '%3F');
}

function encodeAuthority(authority: string, encode: (text: string, kept: string) => string): string {
  const [, user, password, host = '', port = ''] = /^(?:([^@]*?)(:[^:@]*)?@)?(.*?)(:[^:]*)?$/s.exec(authority) ?? [];
  const login = user === undefined ? '' : `${encode(user, '')}${password === undefined ? '' : `:${encode(password.slice(1), '[]:')}`}@`;
  return `${login}${encode(host.toLowerCase(), '[]:')}${port.toLowerCase()}`;
}
