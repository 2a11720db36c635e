/** Keys of `attacks` whose commands can run in tests. They need only common programs and change nothing outside their folder. */
export const runnable = [
  'git status',
  'tar tf a.tar',
  'sort a',
  'find . -type f',
  'sed -n 1p a',
  'cp a b',
  'cat a',
  'grep needle a',
  'ls -la',
  'pwd',
];

/**
 * Commands with an option or argument that runs `./evil` or writes a file. The key is a harmless command. A rule for the harmless command
 * must not allow its attacks.
 */
export const attacks: Readonly<Record<string, readonly string[]>> = {
  'git status': lines(`
    git grep -O./evil needle
    git grep --open-files-in-pager=./evil needle
    git ls-remote --upload-pack=./evil .
    git log --output=victim
    git log --outp=victim
    git show --output=victim
    git diff --output=victim HEAD
    git diff --no-index --output=victim a b
    git -c core.pager=./evil -p log
    git -c core.fsmonitor=./evil status
    git -c core.sshCommand=./evil fetch ssh://localhost/x
    git -c diff.external=./evil diff HEAD
    git -c protocol.ext.allow=always ls-remote "ext::./evil"
    git -c alias.x=!./evil x
    git -c core.editor=./evil commit --amend
    git -c sequence.editor=./evil rebase -i --root
    git --exec-path=. evil
    git --config-env=core.fsmonitor=EVIL status
    git fetch --upload-pack=./evil .
    git pull --upload-pack=./evil .
    git clone --upload-pack=./evil . new
    git clone -u ./evil ssh://localhost/x new
    git push --receive-pack=./evil . HEAD
    git archive --output=victim HEAD
    git archive --remote=. --exec=./evil HEAD
    git bundle create victim HEAD
    git format-patch -o new --root HEAD
    git difftool -y -x ./evil --no-index a b
    git rebase --exec ./evil --root
    git config core.pager ./evil
    git branch new
    git tag new
    git -C . tag new
    git init new
    git commit --allow-empty -m x
    git add victim
    git hash-object -w victim
    git remote add x ./evil
    git checkout HEAD -- changed
    git stash
    git clean -f victim
    GIT_PAGER=./evil git -p log
    GIT_EXTERNAL_DIFF=./evil git diff HEAD
    GIT_SSH_COMMAND=./evil git fetch ssh://localhost/x
    GIT_EDITOR=./evil git commit --amend
    GIT_TRACE=$PWD/victim git status`),
  'npm test': lines(`
    npm test --script-shell=./evil
    npm --script-shell ./evil test
    npm_config_script_shell=./evil npm test
    npm exec -c ./evil
    npm --node-options=--require=./evil.js test
    npm init -y
    npm pkg set scripts.test=./evil
    npm pack
    npm test --prefix new
    npm config set script-shell=./evil --location=project
    npx -c ./evil`),
  'pnpm list': lines(`
    pnpm exec ./evil
    pnpm dlx ./evil
    pnpm --script-shell=./evil test
    pnpm list --global-pnpmfile=evil.js
    yarn exec ./evil
    uvx --from . evil
    bunx ./evil
    pip install --target new .
    pip config --editor ./evil edit`),
  'make test': lines(`
    make test SHELL=./evil
    make SHELL=./evil test
    make -f evil.mk
    make --file=evil.mk
    make --eval=test:needs --touch test
    make -t test
    make prog CC=./evil
    MAKEFLAGS=--eval=include=evil.mk make test
    MAKEFILES=evil.mk make test`),
  'tar tf a.tar': lines(`
    tar cf new.tar --checkpoint=1 --checkpoint-action=exec=./evil a
    tar tf a.tar --checkpoint=1 --checkpoint-action=exec=./evil
    tar tf a.tar -I ./evil
    tar tf a.tar --use-compress-program=./evil
    tar tf a.tar --use-comp=./evil
    tar xf a.tar --to-command=./evil
    tar tf host:a.tar --rsh-command=./evil
    tar cf new.tar -L 1 -F ./evil big
    tar tvf a.tar --index-file=victim
    tar cf victim a
    tar xf a.tar -C src
    tar xf a.tar --one-top-level=new
    tar cf new.tar --remove-files victim
    TAR_OPTIONS=--to-command=./evil tar xf a.tar
    cpio -o -F victim`),
  'sort a': lines(`
    sort a -o victim
    sort -ovictim a
    sort -uo victim a
    sort --output=victim a
    sort --outp=victim a
    sort -o victim -- a
    sort a -o "victim"
    sort 'a' '-o' 'victim'
    sort "-ovictim" a
    sort -S 1k --compress-program=./evil big
    uniq a victim
    uniq -c a victim`),
  'find . -type f': lines(`
    find a -exec ./evil ';'
    find a -exec ./evil {} +
    find a -exec ./evil \\;
    find a -execdir ./evil {} +
    find victim -delete
    find a -fprint victim
    find a -fprint0 victim
    find a -fprintf victim x
    find a -fls victim
    fd a -x ./evil`),
  'rg needle': lines(`
    rg --pre ./evil needle
    rg --pre=./evil needle
    rg needle --hostname-bin=./evil --hyperlink-format=default
    RIPGREP_CONFIG_PATH=evil.rc rg needle
    ag --pager ./evil needle`),
  'sed -n 1p a': lines(`
    sed -i s/h/y/ victim
    sed -n -i p victim
    sed -ni p victim
    sed -i.bak p victim
    sed --in-place s,h,y, victim
    sed -n 'w victim' a
    sed -n wvictim a
    sed -n 1wvictim a
    sed 's/needle/x/w victim' a
    sed 1e./evil a
    sed -e '1e ./evil' a
    sed --expression=1e./evil a
    sed 's,.*,./evil,e' a
    sed -f evil.sed a`),
  'awk 1 a': lines(`
    awk 'BEGIN{system("./evil")}'
    awk 'BEGIN{print "x" > "victim"}'
    awk 'BEGIN{"./evil" | getline}'
    awk -f evil.awk a
    gawk -i inplace 1 victim
    perl -i -pe 1 victim
    perl -pi.bak -e 1 victim
    perl evil.pl
    perl -e 'system "./evil"'
    ruby -e 'system "./evil"'`),
  'python3 --version': lines(`
    python3 evil.py
    python3 -c 'import evil'
    python3 -mevil
    python3.12 evil.py
    python3 -m venv --without-pip new
    python3 -m zipfile -c new.zip a
    python3 -m json.tool package.json victim
    python3 -m py_compile evil.py
    python3 -m pytest -p evil
    PYTHONSTARTUP=evil.py python3 -i
    PYTHONPATH=. python3 -c 'import evil'`),
  'node --version': lines(`
    node evil.js
    node -r ./evil.js good.js
    node --require ./evil.js good.js
    node --import ./evil.js good.js
    node -e 'require("./evil.js")'
    node -pe 'require("./evil.js")'
    node --test evil.js
    node --cpu-prof good.js
    node --trace-event-categories=v8 good.js
    node --report-uncaught-exception --report-directory=. -e 'throw 1'
    NODE_OPTIONS=--require=./evil.js node good.js
    nodejs evil.js
    deno run -A evil.js`),
  'go vet': lines(`
    go vet -vettool=./evil
    go test -exec ./evil
    go build -toolexec=./evil
    go test -coverprofile=victim
    go generate
    cargo check --config build.rustc-wrapper="./evil"
    cargo build --target-dir new
    RUSTC_WRAPPER=./evil cargo check
    gcc -o victim prog.c
    gcc -wrapper ./evil prog.c
    m4 evil.m4 -o victim`),
  'docker ps': lines(`
    docker run -v .:/x alpine /x/evil
    docker exec c ./evil
    docker build -o new .
    kubectl exec pod -- ./evil
    terraform plan -out=victim`),
  'curl --version': lines(`
    curl -o victim file:///etc/passwd
    curl -ovictim file:///etc/passwd
    curl --output victim file:///etc/passwd
    curl -O file:///etc/passwd
    curl -D victim file:///etc/passwd
    curl -c victim file:///etc/passwd
    curl --trace victim file:///etc/passwd
    curl --stderr victim file:///nowhere
    curl --libcurl victim file:///etc/passwd
    curl -K evil.curl
    curl --config evil.curl
    curl --etag-save victim file:///etc/passwd
    wget -O victim http://127.0.0.1:1/
    wget -o victim http://127.0.0.1:1/
    wget --output-document=victim http://127.0.0.1:1/
    wget --use-askpass=./evil http://127.0.0.1:1/
    wget --warc-file=new http://127.0.0.1:1/`),
  'ssh -V': lines(`
    ssh -o ProxyCommand=./evil host
    ssh -oProxyCommand=./evil host
    ssh -F evil.ssh host
    ssh -E new -o ProxyCommand=./evil host
    ssh -V -o ProxyCommand=./evil host
    scp -S ./evil a host:
    scp a victim
    sftp -S ./evil host
    ssh-keygen -q -N x -f new
    rsync -e ./evil a host:
    rsync --rsh=./evil a host:
    rsync a victim
    nc -e ./evil 127.0.0.1 1`),
  'unzip -l a.zip': lines(`
    zip new.zip a -T -TT ./evil
    zip -T --unzip-command=./evil new.zip a
    zip new.zip a
    zip -m new.zip victim
    unzip -o a.zip
    unzip a.zip -d new
    gzip victim
    7z a new.7z a
    gpg -o victim --symmetric a`),
  'man ls': lines(`
    man -P ./evil ls
    man --pager=./evil ls
    MANPAGER=./evil man ls
    PAGER=./evil man ls
    less '+!./evil' a
    less -o victim a
    less --log-file=victim a
    LESSOPEN='./evil %s' less a
    more '+!./evil' a
    vim -es '+!./evil' +q
    vim -es '+w! victim' +q a
    ed victim < evil.ed`),
  date: lines(`
    date > victim
    date; ./evil
    date -f $(./evil)
    file -C -m magic
    xxd a victim
    tree -o victim
    jq -n 1 > victim
    sqlite3 new.db vacuum
    sqlite3 new.db '.shell ./evil'
    sqlite3 -cmd '.shell ./evil' new.db vacuum`),
  'diff a b': lines(`
    diff a b > victim
    sdiff -o victim a a
    sdiff --diff-program=./evil a b
    diff3 --diff-program=./evil a b a
    patch victim evil.patch
    cmp a b > victim`),
  'cp a b': lines(`
    cp a victim
    cp --target-directory=src a
    cp --backup a victim
    mv a victim
    ln -f a victim
    ln -s a new
    install a victim
    dd if=a of=victim status=none
    truncate -s 0 victim
    touch victim
    touch new
    mkdir new
    mktemp -p . x.XXXX
    rm victim
    unlink victim
    chmod 777 victim
    shred -u victim
    split a
    split --filter=./evil a
    tee victim
    tee -a new`),
  env: lines(`
    env ./evil
    env -i ./evil
    env -S ./evil
    env --split-string=./evil
    env -C . ./evil
    env PATH=. evil
    xargs ./evil
    xargs --arg-file=a ./evil
    nice ./evil
    nohup ./evil
    timeout 5 ./evil
    time ./evil
    stdbuf -o0 ./evil
    setsid -w ./evil
    setarch -R ./evil
    linux64 ./evil
    ionice -c 3 ./evil
    chrt -o 0 ./evil
    taskset 1 ./evil
    flock a ./evil
    script -qc ./evil new
    strace ./evil
    watch -g ./evil
    chroot . ./evil
    busybox sh ./evil
    run-parts bin
    sh evil
    sh -c ./evil
    bash -c ./evil
    bash --rcfile evil -i
    . ./evil
    exec ./evil
    eval ./evil
    command ./evil
    trap ./evil EXIT
    ./evil
    "./evil"
    ./ls
    PATH=. ls
    ENV=./evil sh -i
    BASH_ENV=./evil bash -c pwd`),
  'cat a': lines(`
    cat a > victim
    cat a >> victim
    cat a >| victim
    cat < a > victim
    cat a | tee victim
    cat a; ./evil
    cat a & ./evil
    cat a && ./evil
    cat nowhere || ./evil
    cat $(./evil)
    cat \`./evil\`
    cat \${x:-$(./evil)}
    PATH=. cat
    ./cat a`),
  'grep needle a': lines(`
    grep needle a > victim
    grep needle a | ./evil
    grep needle a; ./evil
    grep "$(./evil)" a
    grep -e needle -f victim a > new
    zgrep needle a > victim`),
  'ls -la': lines(`
    ls > victim
    ls -la>victim
    ls; ./evil
    ls -la | ./evil
    ls $(./evil)
    ls -la;./evil
    ls() { ./evil; }; ls
    alias ls=./evil; ls
    { ./evil; }
    (./evil)
    if ./evil; then ls; fi`),
  'head -n 1 a': ['head a > victim', 'head -n $(./evil) a', 'head a | sh evil', 'head -n 1 a\n./evil', 'head -n 1 a #\n./evil'],
  'tail -n 1 a': ['tail a > victim', 'tail -n 1 a & ./evil', 'tail -n 1 a\n\n./evil', 'tail -n 1 "a\n"; ./evil'],
  'wc -l a': ['wc -l a > victim', 'wc -l $(./evil)', 'wc -l a || ./evil; ./evil', 'wc -l a \\\n; ./evil'],
  pwd: ['pwd > victim', 'pwd; ./evil', 'pwd && ./evil', 'pwd\n./evil', 'pwd\r\n./evil', 'pwd\t&\t./evil'],
};

function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}
