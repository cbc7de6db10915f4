"""The language server: ``jaxtyping-core lsp``.

`features` and `server` speak with the editor and never compute anything long. For each folder of the workspace a `folder.Folder`
keeps a process, `worker`, in which `analysis` finds what `jaxtyping-core show` and `check` say of a file as it is in
the editor; `records` is what the two send each other. `shown` makes of it what editors show.
"""
